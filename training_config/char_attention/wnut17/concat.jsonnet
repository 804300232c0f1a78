// WNUT-17, entities of six types in tweets and comments: words and characters concatenated.
// Expected: F1 16.0 on test, one seed.
(import 'base.libsonnet') { combination:: 'concat' }
