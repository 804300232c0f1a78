// Molweni: links are discourse relations between utterances, and dialogue acts are their types. There are folds, one of
// them for validation; dialogues that share utterances are in the same fold.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').molweni
