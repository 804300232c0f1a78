// The baseline on WSJ, a CRF with about as many parameters as Seq2Biseq_le. The paper has LSTM+CRF there: 97.13 on test.
(import 'wsj.libsonnet') { variant:: 'bigru_crf' }
