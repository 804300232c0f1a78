// English Web Treebank: the language-specific parts of speech.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').ud_english_ewt {
  task:: 'pos',
  epochs:: 10,
}
