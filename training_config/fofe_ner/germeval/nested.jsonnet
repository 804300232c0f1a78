// FOFE-NER on GermEval 2014, outer and inner entities, trained on the first quarter of the sentences.
// Expected: F1 49.0 on dev, 50.9 with tuned thresholds; 50.1 on test.
local data = import '../../lib/data.libsonnet';
local level = { type: 'highest_first', merge_adjacent: false };

(import '../free_data.libsonnet') + data.germeval {
  word_size:: 64,
  word_min_count:: 2,
  levels:: [level, level],
  metrics_per_depth:: true,
  epochs:: 8,
  dataset_reader+: { max_instances: 6000 },
  validation_dataset_reader: self.dataset_reader { max_instances: null },
}
