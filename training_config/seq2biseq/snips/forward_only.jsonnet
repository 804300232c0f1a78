// SNIPS: the left-to-right decoder alone, with lexical information.
(import 'base.libsonnet') { variant:: 'forward_only' }
