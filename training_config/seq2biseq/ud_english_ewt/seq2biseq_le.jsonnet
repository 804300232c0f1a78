// English Web Treebank: both decoders, with lexical information.
// Measured: test accuracy 91.3, 1 seed, 8 minutes.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').seq2biseq_le
