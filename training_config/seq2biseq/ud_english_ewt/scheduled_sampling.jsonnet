// English Web Treebank: as seq2biseq_le.jsonnet, where the backward decoder reads its own labels in training, too (Bengio
// et al., 2015): from none in the first epoch to all in the last one. Not the paper's.
(import 'base.libsonnet') { scheduled_sampling:: true }
