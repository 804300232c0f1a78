// English Web Treebank: as seq2biseq_le.jsonnet, but the backward decoder also reads its own labels in training (Bengio
// et al., 2015): from none in the first epoch to all in the last. Not from the paper.
(import 'base.libsonnet') { scheduled_sampling:: true }
