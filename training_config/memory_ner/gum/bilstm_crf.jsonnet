// GUM: the baseline, a BiLSTM over each sentence and a CRF.
(import 'base.libsonnet') {
  reads:: 'sentences',
  encoder:: { type: 'bilstm' },
  hidden_size:: 144,  // as many parameters as the memory
  model+: { input_dropout: { p: $.dropout } },
}
