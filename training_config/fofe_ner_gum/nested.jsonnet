// FOFE-NER on GUM, all entities, nested: those with a pronoun or a common noun as their head, too.
// Differs from the thesis in words, whose vectors are learned with the task; in sizes; in fragments of up to 15 words,
// which have 98 % of the entities; and in levels: entities are up to eight deep. Rates are those of KBP.
// The environment variable SEED is the seed.
local seed = std.parseInt(std.extVar('SEED'));
local level = { type: 'highest_first', merge_adjacent: false };

(import '../lib/fofe_ner.libsonnet') {
  word_size:: 64,
  character_size:: 32,
  word_min_count:: 2,
  max_length:: 15,
  levels:: [level, level, level, level],
  metrics_per_depth:: true,
  overlap_rate:: 0.08,
  disjoint_rate:: 0.016,
  epochs:: 30,
  corpus:: { type: 'conllu' },
  train_data_path: '../shared/data/gum/train.conllu.gz',
  validation_data_path: '../shared/data/gum/dev.conllu.gz',
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
