// SNIPS: the slots of requests to an assistant; the sizes for MEDIA.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').snips {
  task:: 'slots',
  sclite_weights:: true,
  crf_hidden_size:: 578,  // about as many parameters as seq2biseq_le.jsonnet
  epochs:: 15,
}
