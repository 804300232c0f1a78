// A tagger of persons, places and organizations in eight languages, for the zoo: characters and learned vectors, no file
// of vectors. DATA names the folder of the corpora.
(import '../lib/tagger.libsonnet') + (import 'tagger.libsonnet')
+ (import '../lib/data.libsonnet').mixture(import '../lib/names_in_eight_languages.libsonnet') + {
  character_filters:: 64,
  character_size:: 32,
  ngram_sizes:: [2, 3, 4],
  word_min_count:: 5,

  trainer+: { patience: 5 },
}
