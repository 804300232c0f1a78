// Dependency-aware NER on UNER-EWT over the vectors of MiniLM (docs/transformers.md), whether trees help names there.
// Evaluations are those of uner_ewt.
(import 'uner_ewt.jsonnet') {
  order: ['minilm_full', 'minilm_words_only', 'minilm_plain_bilstm', 'minilm_blstm_word'],
  environment: import '../minilm.libsonnet',
  reference: 'minilm_plain_bilstm',
}
