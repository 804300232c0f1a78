// English Web Treebank: both decoders, without lexical information.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').seq2biseq
