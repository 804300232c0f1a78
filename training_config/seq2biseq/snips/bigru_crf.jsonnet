// SNIPS: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
(import 'base.libsonnet') { variant:: 'bigru_crf' }
