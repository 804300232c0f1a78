// English Web Treebank: both decoders, with lexical information.
// Expected: accuracy 92.75 and 92.78 on test with seeds 1 and 2.
import 'base.libsonnet'
