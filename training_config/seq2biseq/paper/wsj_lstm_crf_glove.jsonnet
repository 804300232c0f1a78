// Table 6, LSTM+CRF + GloVe: fixed vectors of 100 numbers from the file WORD_VECTORS; the published program tunes them.
// Published accuracy on WSJ: development 97.46, test 97.55.
(import 'wsj.libsonnet') + (import '../rows.libsonnet').lstm_crf_glove
