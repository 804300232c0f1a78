// SNIPS: both decoders, without lexical information.
(import 'base.libsonnet') { variant:: 'seq2biseq' }
