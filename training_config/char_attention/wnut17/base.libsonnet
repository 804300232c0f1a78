// WNUT-17: entities of six types in tweets and comments.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  task:: 'ner',
  batch_size:: 16,
  epochs:: 16,
}
