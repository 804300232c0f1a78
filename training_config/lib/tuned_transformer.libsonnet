// Tunes the transformer of a configuration, at a rate of its own. No weight decays that is a bias or of a normalisation.
// The rates rise in the first tenth of the training, and then fall. Added behind transformer.libsonnet or
// with_transformer.libsonnet.
{
  tune_transformer:: true,
  transformer_layers:: 'last',
  transformer_rate:: 5e-5,  // the highest learning rate of the transformer
  learning_rate:: 1e-3,  // the highest learning rate of all other parameters
  epochs:: 5,

  local undecayed = '(bias$|[nN]orm)',
  trainer+: {
    optimizer: {
      type: 'adamw',
      lr: $.learning_rate,
      weight_decay: 0.01,
      parameter_groups: [
        [['_transformer\\.encoder\\.(?!.*' + undecayed + ')'], { lr: $.transformer_rate }],
        [['_transformer\\.encoder\\..*' + undecayed], { lr: $.transformer_rate, weight_decay: 0.0 }],
        [['^(?!.*_transformer\\.encoder\\.).*' + undecayed], { weight_decay: 0.0 }],
      ],
    },
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.1 },
    grad_norm: 1.0,
  },
}
