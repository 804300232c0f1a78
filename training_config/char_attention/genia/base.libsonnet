// GENIA: parts of speech in abstracts.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').genia_pos {
  task:: 'pos',
  epochs:: 3,
}
