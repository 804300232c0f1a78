// WNUT-17, entities of six types in tweets and comments: attention to words and characters.
import 'base.libsonnet'
