// BC2GM: genes in sentences of abstracts. Twelve epochs, so that a run takes 22 minutes of a core, with words alone 5.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').bc2gm {
  task:: 'ner',
  batch_size:: 32,
  epochs:: 12,
  patience:: 4,
}
