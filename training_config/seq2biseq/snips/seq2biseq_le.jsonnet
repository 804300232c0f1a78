// SNIPS: both decoders, with lexical information.
import 'base.libsonnet'
