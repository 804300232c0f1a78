// English Web Treebank: the language-specific parts of speech.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').ud_english_ewt {
  task:: 'pos',
  crf_hidden_size:: 183,
  epochs:: 3,
}
