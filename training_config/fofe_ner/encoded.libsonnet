// FOFE-NER under the encoder of a tagger, which the thesis has not: features are the FOFE codes of encoded words and the
// words at the boundaries of a span. One layer is above them, dropout stays as it is, and probabilities are those of all
// spans, not of the sample.
// Without WORD_VECTORS the vectors of words are learned.
local has_vectors = std.extVar('WORD_VECTORS') != '';
local words = if has_vectors then import '../lib/fixed_vectors.libsonnet' else import '../lib/learned_words.libsonnet';

words {
  word_vector_size:: 100,
  character_filters:: 50,
  character_size:: 25,
  word_min_count:: 2,
  encoder_size:: 200,  // size of each direction of the LSTM
  dropout:: 0.4,  // probability of dropout on embedded words and on features
  codes:: {},
  fofe_characters:: false,
  character_cnn:: false,

  local shapes = { lexical_features: { type: 'lexical_features' } },
  local encoded = { indexer: 'encoded', embedder: { type: 'pass_through', hidden_dim: 2 * $.encoder_size } },
  word_size+:: 6,
  word_indexers+:: shapes,
  word_embedders+:: shapes,

  model+: {
    token_embedders: $.word_embedders,
    encoder: { type: 'bilstm', input_size: $.word_size, hidden_size: $.encoder_size },
    features+: {
      fofe_words: encoded { type: 'fofe_words', alpha: $.alpha, codes: ['context_including', 'bag_of_words'] },
      boundary_words: encoded { type: 'boundary_words' },
    },
    dropout: $.dropout,
    feedforward+: { num_layers: 1, dropout: 0.2 },
    sampler+: { corrected: true },
  },
  trainer+: { callbacks: ['reproducible', 'final_report'] },
} + import '../lib/words.libsonnet'
