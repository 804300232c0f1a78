// WNUT-17, entities of six types in tweets and comments: words alone.
// Expected: F1 7.0 on test, one seed.
(import 'base.libsonnet') { combination:: 'word' }
