// FOFE-NER on GermEval 2014, outer and inner entities. Word vectors are learned, those of words as written and those of words
// in lower case. Levels and thresholds are those that were best on the development part with other settings.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').germeval {
  levels:: [
    { type: 'longest_first', threshold: 0.4, merge_adjacent: false },
    { type: 'highest_first', threshold: 0.8, merge_adjacent: false },
  ],
  metrics_per_depth:: true,
  epochs:: 15,
}
