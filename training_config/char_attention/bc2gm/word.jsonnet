// BC2GM, genes in sentences of abstracts: words alone.
// Expected: F1 72.2 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
