// BC2GM, genes in sentences of abstracts: attention to words and characters.
// Expected: F1 75.2 on test, one seed.
import 'base.libsonnet'
