// ner.jsonnet on the corpus that the environment variable CORPUS names, and variants of its recipe, which VARIANT names.
local data = import '../training_config/lib/data.libsonnet';
local seed = import '../training_config/lib/seed.libsonnet';

local variants = {
  recipe: {},
  no_shapes: { lexical_features:: false },
  zero_digits: {
    word_indexers+:: { local words = super.tokens, tokens: { type: 'zero_digits', indexer: words } },
  },
  variational_dropout: { model+: { input_dropout+: { type: 'variational' } } },
  no_input_dropout: { model+: { input_dropout:: null } },
  // As in lib/tuned_vectors.libsonnet, with dense gradients, for the optimiser of all rows.
  tuned_vectors: { word_embedders+:: { tokens+: { type: 'embedding' } } },
  // As the configuration was before.
  adam: {
    data_loader+: { batch_sampler+: { batch_size: 16 } },
    model+: { loss_reduction: 'mean' },
    trainer+: { optimizer: { type: 'adam', lr: 1e-3 }, learning_rate_scheduler:: null },
  },
};

(import '../training_config/ner.jsonnet') + data[std.extVar('CORPUS')] + seed {
  dataset_reader+: { corpus: $.corpus },
} + variants[std.extVar('VARIANT')]
