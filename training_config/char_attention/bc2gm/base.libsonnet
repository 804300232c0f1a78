// BC2GM: genes in sentences of abstracts.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').bc2gm {
  task:: 'ner',
  batch_size:: 16,
  epochs:: 30,
  patience:: 10,
}
