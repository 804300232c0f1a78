// GENIA: parts of speech in abstracts.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').genia_pos {
  task:: 'pos',
  epochs:: 6,
}
