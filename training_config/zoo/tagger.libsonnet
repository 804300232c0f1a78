// The zoo's taggers of names: lib/tagger.libsonnet in larger batches, with Adam and averaged weights.
{
  zero_digits:: false,
  lexical_features:: true,
  character_size:: 25,
  epochs:: 20,

  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: std.pow(0.87, 20 / $.epochs) },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
