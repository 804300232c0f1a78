// GUM: the baseline with the classes of allennlp-models: crf_tagger with AllenNLP's LSTM.
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').bilstm_crf_as_large
+ (import '../../lib/crf_tagger.libsonnet')
