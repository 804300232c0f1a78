// English Web Treebank, the language-specific parts of speech: attention to words and characters.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').attention
