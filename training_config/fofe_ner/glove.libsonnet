// FOFE-NER on free data with vectors of lower-case words in the file that the environment variable WORD_VECTORS names, which
// stay as they are (rows.tuned tunes them), for every word of the file; vectors of words as written are learned.
(import 'free_data.libsonnet') {
  word_vectors:: { uncased: import '../lib/word_vectors.libsonnet' },
  fixed_vectors:: true,
}
