// WNUT-17, entities of six types in tweets and comments: words alone.
(import 'base.libsonnet') { combination:: 'word' }
