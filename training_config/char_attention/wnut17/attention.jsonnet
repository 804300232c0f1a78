// WNUT-17, entities of six types in tweets and comments: attention to words and characters.
// Expected: F1 15.9 on test, one seed.
import 'base.libsonnet'
