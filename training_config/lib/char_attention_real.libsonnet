// Attending to characters on real data: COMBINATION is attention, concat or word, and SEED the seed. RESULTS.md has the
// commands. Word vectors are learned from words that occur twice.
local seed = std.parseInt(std.extVar('SEED'));

(import 'char_attention.libsonnet') {
  combination:: std.extVar('COMBINATION'),
  word_size:: 100,
  character_embedding_size:: 25,
  character_hidden_size:: 50,
  hidden_size:: 100,
  input_dropout:: 0.3,
  dropout:: 0.3,
  batch_size:: 32,
  patience:: null,  // on small data F1 stays zero for some epochs
  optimizer:: { type: 'adam', lr: 4e-3 },
  trainer+: { grad_norm: 5.0 },
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
