// English Web Treebank, the language-specific parts of speech: words alone.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').word
