// Table 6, LSTM+CRF, without word vectors. Published accuracy on WSJ, of another program: test 97.13.
import 'wsj_lstm_crf.libsonnet'
