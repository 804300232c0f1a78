// Table 6, LSTM+CRF, without word vectors. Published accuracy on WSJ, with another program: test 97.13.
(import 'wsj.libsonnet') + (import '../rows.libsonnet').lstm_crf
