// BC2GM: genes in sentences of abstracts.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').bc2gm {
  task:: 'ner',
  epochs:: 12,
}
