// Document NER on real data: vectors of WikiText-2, and the seed in the environment variable SEED. RESULTS.md has the commands.
local fixed_words = import 'fixed_words.libsonnet';
local memory_ner = import 'memory_ner.libsonnet';
local seed = std.parseInt(std.extVar('SEED'));

memory_ner + fixed_words {
  unknown_word:: '<unk>',
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
