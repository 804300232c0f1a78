// English Web Treebank: the language-specific parts of speech.
(import '../english.libsonnet') + (import '../../lib/data.libsonnet').ud_english_ewt {
  task:: 'pos',
  epochs:: 12,
}
