// BC2GM, genes in sentences of abstracts: words alone.
(import 'base.libsonnet') { combination:: 'word' }
