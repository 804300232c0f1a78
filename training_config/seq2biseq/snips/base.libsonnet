// SNIPS: the slots of what people say to an assistant.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').snips {
  task:: 'slots',
  crf_hidden_size:: 185,
  epochs:: 4,
}
