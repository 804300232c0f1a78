// The vectors of words that a configuration has, and beside them those of a transformer. Added behind the configuration.
{
  other_size:: super.word_size,
  other_indexers:: super.word_indexers,
  other_embedders:: super.word_embedders,
  other_vocabulary:: super.vocabulary,
} + (import 'transformer.libsonnet') {
  word_size+:: $.other_size,
  word_indexers+:: $.other_indexers,
  word_embedders+:: $.other_embedders,
  vocabulary: $.other_vocabulary,
}
