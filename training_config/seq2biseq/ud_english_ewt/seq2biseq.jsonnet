// English Web Treebank: both decoders, without lexical information.
(import 'base.libsonnet') { variant:: 'seq2biseq' }
