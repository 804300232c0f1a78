// Molweni: discourse relations between utterances are links, and their types dialogue acts. In folds, one of which is
// for validation; dialogues that share utterances are in one fold.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').molweni
