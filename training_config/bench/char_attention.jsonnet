// Any corpus: attention to words and characters, with its settings for WNUT-17.
(import '../char_attention/free_data.libsonnet').english + (import 'base.libsonnet') {
  fixed_words:: self.has_vectors,
  word_vectors:: if self.has_vectors then super.word_vectors else null,
  full_epochs:: 30,
  task:: 'ner',
  word_vector_size:: $.vector_size,
  batch_size:: 16,
  patience:: 10,
}
