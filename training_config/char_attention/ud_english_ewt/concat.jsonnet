// English Web Treebank, the language-specific parts of speech: words and characters concatenated.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').concat
