// FOFE-NER on GermEval 2014, outer and inner entities. Word vectors are learned, for words as written and for words in
// lower case. Levels and thresholds were the best ones on the development data with other settings.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').germeval {
  levels:: [
    { type: 'longest_first', threshold: 0.4, merge_adjacent: false },
    { type: 'highest_first', threshold: 0.8, merge_adjacent: false },
  ],
  metrics_per_depth:: true,
  epochs:: 15,
}
