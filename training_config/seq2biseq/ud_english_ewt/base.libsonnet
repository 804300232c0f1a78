// English Web Treebank: the language-specific parts of speech; the sizes for WSJ.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').ud_english_ewt {
  task:: 'pos',
  word_size:: 300,
  hidden_size:: 150,
  crf_hidden_size:: 266,  // about as many parameters as seq2biseq_le.jsonnet
  epochs:: 9,
}
