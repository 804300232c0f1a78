// English Web Treebank, the language-specific parts of speech: attention without the auxiliary loss.
// Measured: not trained.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').no_auxiliary
