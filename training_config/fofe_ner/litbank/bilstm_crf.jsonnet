// LitBank: the BiLSTM-CRF of lib/tagger.libsonnet, for only the outermost entities.
// Measured: not trained.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').litbank
