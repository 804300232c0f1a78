// FOFE-NER on GENIA, nested.
// Differs from the thesis in spans of up to 10 words, which cover 99 % of the entities. Levels and thresholds were the
// best ones on the development data with other word vectors.
local longest_first(threshold) = { type: 'longest_first', threshold: threshold, merge_adjacent: false };

(import '../glove.libsonnet') + (import 'data.libsonnet') {
  max_length:: 10,
  levels:: [longest_first(0.6), longest_first(0.9)],
  metrics_per_depth:: true,
  epochs:: 15,
}
