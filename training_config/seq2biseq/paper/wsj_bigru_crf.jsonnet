// The baseline on WSJ, a CRF with about as many parameters as Seq2Biseq_le. The paper has LSTM+CRF in its place: 97.13
// on test.
(import 'wsj.libsonnet') + (import '../rows.libsonnet').bigru_crf
