// English Web Treebank: both decoders, with lexical information.
import 'base.libsonnet'
