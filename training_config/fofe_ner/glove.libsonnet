// FOFE-NER on free data with fixed vectors of lower-case words, from the file that the environment variable
// WORD_VECTORS names, for every word of the file (rows.tuned tunes them). Vectors of words as written are learned.
(import 'free_data.libsonnet') {
  word_vectors:: { uncased: import '../lib/word_vectors.libsonnet' },
  fixed_vectors:: true,
}
