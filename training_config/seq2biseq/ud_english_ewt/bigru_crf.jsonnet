// English Web Treebank: the baseline, a CRF with about as many parameters as seq2biseq_le.jsonnet.
// Expected: accuracy 93.01 and 92.70 on test with seeds 1 and 2; measured without dropout on the embedded
// words, which the other rows have.
(import 'base.libsonnet') { variant:: 'bigru_crf' }
