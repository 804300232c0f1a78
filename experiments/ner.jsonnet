// ner.jsonnet on the corpus that the environment variable CORPUS names, and variants of its recipe, which VARIANT names.
local data = import '../training_config/lib/data.libsonnet';
local seed = import '../training_config/lib/seed.libsonnet';

// The recipe on the corpus, and on texts that its teachers have labelled, for as many steps as the recipe.
local student(teachers) = {
  epochs:: { wnut17: 17, uner_ewt: 24, redocred: 17 }[std.extVar('CORPUS')],
  train_data_path: 'output/distilled/' + std.extVar('CORPUS') + teachers + '/training.jsonl',
  validation_dataset_reader: super.dataset_reader,
  dataset_reader+: { corpus: { type: 'jsonl' } },
};

local variants = {
  recipe: {},
  // As in lib/tuned_vectors.libsonnet, with dense gradients, for the optimiser of all rows.
  tuned_vectors: { word_embedders+:: { tokens+: { type: 'embedding' } } },
  // As the configuration was before.
  adam: {
    data_loader+: { batch_sampler+: { batch_size: 16 } },
    model+: { loss_reduction: 'mean' },
    trainer+: { optimizer: { type: 'adam', lr: 1e-3 }, learning_rate_scheduler:: null },
  },
  // Larger batches, which take less time, with a rate that is larger by as much.
  batches_of_32: { data_loader+: { batch_sampler+: { batch_size: 32 } }, learning_rate:: 3.2 * super.learning_rate },
  // Products in bfloat16, which some processors have instructions for.
  bfloat16: { trainer+: { callbacks: ['bfloat16'] + super.callbacks } },
  // MiniLM, frozen, in the place of vectors, characters and shapes, or beside them.
  minilm: { words:: 'transformer', transformer_size:: 384 },
  minilm_beside: { words:: 'both', transformer_size:: 384 },
  // MPNet, which is larger, in MiniLM's place.
  mpnet_beside: { words:: 'both', transformer_size:: 768 },
  // MiniLM beside vectors, characters and shapes, tuned.
  minilm_tuned: { words:: 'both', transformer_size:: 384, tune_transformer:: true, epochs:: 5 },
  // MPNet likewise, in bfloat16, in which a step takes half the time where a processor has instructions for it.
  mpnet_tuned: self.minilm_tuned + self.bfloat16 { transformer_size:: 768 },
  // Students of minilm_beside, of mpnet_beside, which is trained for ten epochs, of mpnet_tuned, and of five of the
  // recipe itself.
  distilled: student(''),
  distilled_mpnet: student('_mpnet'),
  distilled_mpnet_tuned: student('_mpnet_tuned'),
  distilled_recipe: student('_recipe'),
};

(import '../training_config/ner.jsonnet') + data[std.extVar('CORPUS')] + seed + variants[std.extVar('VARIANT')]
