// English Web Treebank: both decoders, without lexical information.
// Expected: accuracy 92.87 and 92.46 on test with seeds 1 and 2.
(import 'base.libsonnet') { variant:: 'seq2biseq' }
