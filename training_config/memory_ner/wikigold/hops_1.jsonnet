// Wikigold: a memory of the document, read once, as in the paper.
import 'base.libsonnet'
