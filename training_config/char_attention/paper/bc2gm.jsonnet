// Genes: BC2GM, with the data of ../bc2gm. Published test F1: 87.99 (concat 87.75, word 84.21), by the task's own
// scorer, which accepts alternative boundaries. The files used here do not have these, so that scores here are for
// exact boundaries. `experiments.alternative_boundaries` computes both with the files of the task.
(import '../paper.jsonnet') + (import 'biomedical.libsonnet') + (import '../../lib/data.libsonnet').bc2gm
