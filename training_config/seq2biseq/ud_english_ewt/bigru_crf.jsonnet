// English Web Treebank: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
(import '../free_data.libsonnet').ud_english_ewt + (import '../rows.libsonnet').bigru_crf
