// Any corpus: the tagger to start from, as for your own files.
(import '../ner.jsonnet') + (import 'base.libsonnet') {
  full_epochs:: 50,
  word_vector_size:: $.vector_size,
}
