// FOFE-NER on GUM: all entities, nested, also entities with a pronoun or a common noun as their head.
// Differs from the thesis in spans of up to 15 words, which cover 98 % of the entities, and in levels: entities are up
// to eight deep. Rates are those of the original program for KBP. Levels and thresholds were the best ones on the
// development data with other word vectors.
local data = import '../../lib/data.libsonnet';
local longest_first(threshold) = { type: 'longest_first', threshold: threshold, merge_adjacent: false };

(import '../glove.libsonnet') + data.gum {
  max_length:: 15,
  levels:: [
    longest_first(0.6),
    longest_first(0.7),
    longest_first(0.7),
    { type: 'highest_first', threshold: 0.9, merge_adjacent: false },
  ],
  metrics_per_depth:: true,
  overlap_rate:: 0.08,
  disjoint_rate:: 0.016,
  epochs:: 20,
}
