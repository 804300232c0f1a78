// Wikigold: a memory of the document, read once, and a CNN over the characters of words, which the paper does not have.
(import 'hops_1.jsonnet') + (import '../../lib/fixed_vectors.libsonnet')
