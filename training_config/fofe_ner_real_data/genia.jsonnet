// FOFE-NER on GENIA, nested: trained on the first 27 % of the articles, where the literature has 90 %.
// Expected: F1 61.6 on dev, 65.8 with tuned thresholds; 65.5 on test.
local level = { type: 'highest_first', merge_adjacent: false };

(import '../lib/fofe_ner_real_data.libsonnet') {
  word_size:: 64,
  word_min_count:: 2,
  levels:: [level, level],
  metrics_per_depth:: true,
  epochs:: 8,
  corpus:: { type: 'genia', share: [0.0, 0.27] },
  train_data_path: '../shared/data/genia/GENIAcorpus3.02.xml.gz',
  validation_data_path: self.train_data_path,
  validation_dataset_reader: self.dataset_reader { corpus: { type: 'genia', share: [0.81, 0.9] } },
}
