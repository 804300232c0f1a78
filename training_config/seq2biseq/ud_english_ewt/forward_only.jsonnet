// English Web Treebank: the left-to-right decoder alone, with lexical information.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').forward_only
