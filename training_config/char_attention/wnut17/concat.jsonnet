// WNUT-17, entities of six types in tweets and comments: words and characters concatenated.
(import 'base.libsonnet') { combination:: 'concat' }
