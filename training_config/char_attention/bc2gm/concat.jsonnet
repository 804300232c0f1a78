// BC2GM, genes in sentences of abstracts: words and characters concatenated.
// Expected: F1 75.3 on test, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
