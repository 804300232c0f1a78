// FOFE-NER on GENIA, nested, trained on the first 27 % of the articles, where the literature has 90 %.
// Expected: F1 61.6 on dev, 65.8 with tuned thresholds; 65.5 on test.
local data = import '../../lib/data.libsonnet';
local level = { type: 'highest_first', merge_adjacent: false };

(import '../free_data.libsonnet') + data.genia {
  word_size:: 64,
  word_min_count:: 2,
  levels:: [level, level],
  metrics_per_depth:: true,
  epochs:: 8,
  corpus:: { type: 'genia', share: [0.0, 0.27] },
  validation_dataset_reader: self.dataset_reader { corpus: { type: 'genia', share: [0.81, 0.9] } },
}
