// BC2GM, genes in sentences of abstracts: attention to words and characters.
import 'base.libsonnet'
