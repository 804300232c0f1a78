// WNUT-17: entities of six types in tweets and comments.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  task:: 'ner',
  batch_size:: 16,
  epochs:: 30,
  patience:: 10,  // on small data F1 stays zero for some epochs
}
