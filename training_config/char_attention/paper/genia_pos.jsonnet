// Parts of speech of abstracts: GENIA, with the data of ../genia. Published test accuracy: 98.60 (concat 98.49, word
// 97.39).
(import '../paper.jsonnet') + (import 'biomedical.libsonnet') + (import '../../lib/data.libsonnet').genia_pos {
  task:: 'pos',
}
