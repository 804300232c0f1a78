// GUM: a memory of the document, read once, as in the paper.
// Expected: F1 39.1 ± 0.8 on test, three seeds.
import 'base.libsonnet'
