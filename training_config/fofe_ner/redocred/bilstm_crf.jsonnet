// Re-DocRED: the BiLSTM-CRF of lib/tagger.libsonnet.
// Measured: not trained.
(import '../../lib/tagger.libsonnet') + (import '../../lib/data.libsonnet').redocred
