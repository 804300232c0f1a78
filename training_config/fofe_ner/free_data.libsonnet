// FOFE-NER on free data that is small beside the thesis's: Adam, since SGD takes more epochs than there is time for.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  character_size:: 32,
  learning_rate:: 1e-3,
  trainer+: { optimizer: { type: 'adam', lr: $.learning_rate } },
}
