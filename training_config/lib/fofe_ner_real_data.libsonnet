// FOFE-NER on real data that is small beside the thesis's: Adam, since SGD takes more epochs than there is time for. The
// environment variable SEED is the seed. RESULTS.md has the commands.
local seed = std.parseInt(std.extVar('SEED'));

(import 'fofe_ner.libsonnet') {
  character_size:: 32,
  learning_rate:: 1e-3,
  trainer+: { optimizer: { type: 'adam', lr: $.learning_rate } },
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
