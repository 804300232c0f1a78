// English Web Treebank, the language-specific parts of speech: words and characters concatenated.
// Measured: test accuracy 94.6, 1 seed, 17 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').concat
