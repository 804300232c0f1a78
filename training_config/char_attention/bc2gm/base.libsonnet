// BC2GM: genes in sentences of abstracts.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').bc2gm {
  task:: 'ner',
  epochs:: 4,
}
