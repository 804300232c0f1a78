// BC2GM, genes in sentences of abstracts: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
