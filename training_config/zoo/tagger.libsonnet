// The zoo's taggers of names: ner.jsonnet in larger batches, with Adam, and with weights averaged over the last steps.
(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') + {
  character_size:: 25,

  dataset_reader+: { corpus: $.corpus },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    num_epochs: 20,
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: 0.87 },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
