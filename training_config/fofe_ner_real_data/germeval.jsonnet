// FOFE-NER on GermEval 2014, outer and inner entities: trained on the first quarter of the sentences.
// Expected: F1 49.0 on dev, 50.9 with tuned thresholds; 50.1 on test.
local level = { type: 'highest_first', merge_adjacent: false };

(import '../lib/fofe_ner_real_data.libsonnet') {
  word_size:: 64,
  word_min_count:: 2,
  levels:: [level, level],
  metrics_per_depth:: true,
  epochs:: 8,
  corpus:: { type: 'columns', tag_column: [1, 2] },
  train_data_path: '../shared/data/germeval2014/germ.train.iob2.gz',
  validation_data_path: '../shared/data/germeval2014/germ.dev.iob2.gz',
  dataset_reader+: { max_instances: 6000 },
  validation_dataset_reader: self.dataset_reader { max_instances: null },
}
