// SNIPS: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
// Expected: F1 92.03 ± 0.28, concept error rate 6.31 ± 0.49 on test, three seeds; measured without dropout on the
// embedded words, which the other rows have.
(import 'base.libsonnet') { variant:: 'bigru_crf' }
