// Dependency-aware NER (Aguilar and Solorio, NAACL 2019): the shared part of all its configurations.
// A configuration adds data and word vectors, and changes the fields with :: at the top; all sizes are computed from
// them.
{
  row:: 'tlstm_blstm_ra_ga',  // a row of the paper's tables or of ours, from rows.libsonnet; it sets other options

  // The input: word vectors of word_size::, built by word_indexers:: and word_embedders::, and the features.
  word_size:: error 'word_size:: is missing',  // size of the vector that word_embedders:: makes of a word
  word_indexers:: error 'word_indexers:: is missing',  // AllenNLP's indexers for words
  word_embedders:: error 'word_embedders:: is missing',  // the embedders of these
  features:: of_row('features', ['pos', 'dep']),  // further inputs: pos, dep, both or none
  feature_size:: std.floor(self.word_size / 4),  // size of the vector of each feature

  // The encoder, Figure 2 of the paper.
  layers:: 2,  // layers of each stack that a row does not leave out or count itself
  semantic_layers:: of_row('semantic_layers', self.layers),  // bidirectional LSTMs over words, one on the other
  syntactic_layers:: of_row('syntactic_layers', self.layers),  // Tree-LSTMs over the dependency tree, one on the other
  // Size of the outputs of a BiLSTM, even for its two directions; residual connections allow none but that of the input.
  semantic_size:: self.input_size + (if self.residual == false then self.input_size % 2 else 0),
  residual:: of_row('residual', true),  // residual connections: of all, of none, or of a list of component names
  norm:: of_row('norm', self.usual_norm),  // normalisation of components, like residual
  // The norm of rows that give none. In a residual connection, a norm would cancel the weights of the global attention:
  // see DependencyAwareEncoder.
  usual_norm:: if self.residual == true then rows.global_without_norm.norm else self.residual,
  query:: of_row('query', 'last'),  // query of the global attention: last, the last word's state, or final, both ends
  // What the query is taken from: outputs, under equation 4 LayerNorm(x + h), or states, h.
  query_from:: of_row('query_from', 'outputs'),
  relative:: of_row('relative', true),  // whether there is the relative attention
  global:: of_row('global', true),  // whether there is the global attention
  attention_size:: self.word_size,  // size of the global attention's layer
  dropout:: 0.3,  // probability of dropout on encoded words
  // Whether the model needs dependency trees.
  reads_trees:: self.syntactic_layers > 0 || std.member(self.features, 'dep'),

  // Data.
  // Parses raw text: { pipeline: FOLDER }, as `nerzoo train-parser` writes it, or { treebank: 'train_data_path' }, one
  // that is trained on the training data.
  parser:: null,
  corpus:: error 'corpus:: is missing',  // the format of the data, an object with a type
  batch_size:: 16,  // sentences in a batch

  local config = self,
  local rows = import 'rows.libsonnet',
  assert std.objectHasAll(rows, config.row) : 'row must be one of %s; found %s' % [
    std.join(', ', std.objectFieldsAll(rows)), config.row
  ],
  local of_row(option, default) = std.get(rows[config.row], option, default),
  // Size of the embedded words.
  input_size:: config.word_size + config.feature_size * std.length(config.features),
  local size = config.input_size,
  local encoded_size =
    (if config.semantic_layers > 0 then config.semantic_size else 0)
    + (if config.syntactic_layers > 0 then size else 0),
  // L2 on all parameters w_k of extractors and attentions, biases included, lambda = 1e-5 (equation 6), as parameter
  // groups for the optimiser: the gradient of lambda w^2 is 2 lambda w. Layer normalisation belongs to no component.
  regularised:: [[['encoder\\..*component'], { weight_decay: 2e-5 }]],

  assert config.semantic_size % 2 == 0
         : 'semantic_size must be even, for two directions; found ' + config.semantic_size,

  local feature_name = { pos: 'tag_', dep: 'dep_' },

  dataset_reader: {
    type: 'tagged_sentences',
    corpus: config.corpus,
    coding_scheme: 'BIOUL',
    token_indexers: config.word_indexers {
      [feature]: { type: 'single_id', namespace: feature, feature_name: feature_name[feature] }
      for feature in config.features
    },
    [if config.parser != null && (config.reads_trees || config.features != []) then 'parser']: config.parser,
  },
  // The vocabulary comes from train alone.
  datasets_for_vocab_creation: ['train'],
  data_loader: {
    batch_sampler: { type: 'bucket', batch_size: config.batch_size, sorting_keys: ['tokens'] },
  },
  model: {
    type: 'sequence_tagger',
    text_field_embedder: {
      token_embedders: config.word_embedders {
        [feature]: { type: 'embedding', vocab_namespace: feature, embedding_dim: config.feature_size }
        for feature in config.features
      },
    },
    encoder: {
      type: 'dependency_aware',
      semantic: [
        {
          type: 'bilstm',
          input_size: if layer == 1 then size else config.semantic_size,
          hidden_size: config.semantic_size / 2,
        }
        for layer in std.range(1, config.semantic_layers)
      ],
      syntactic: [
        { type: 'child_sum_tree_lstm', input_size: size, hidden_size: size }
        for _ in std.range(1, config.syntactic_layers)
      ],
      [if config.relative then 'relative_attention']: { type: 'relative_attention', input_size: encoded_size },
      [if config.global then 'global_attention']: {
        type: 'global_attention',
        input_size: encoded_size,
        query_size: encoded_size,
        attention_size: config.attention_size,
      },
      residual: config.residual,
      norm: config.norm,
      query: config.query,
      query_from: config.query_from,
      dropout: config.dropout,
    },
    dropout: config.dropout,
    initializer: { regexes: [['token_embedder_(pos|dep).weight', 'xavier_uniform']] },
  },
}
