// SNIPS: the slots of what people say to an assistant; the sizes of MEDIA.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').snips {
  task:: 'slots',
  sclite_weights:: true,
  crf_hidden_size:: 578,  // about as many parameters as seq2biseq_le.jsonnet
  epochs:: 15,
}
