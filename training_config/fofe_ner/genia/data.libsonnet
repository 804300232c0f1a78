// GENIA: the first 90 % of the articles, of which the last tenth is the development part; the other 10 % are for test.
(import '../../lib/data.libsonnet').genia {
  corpus:: { type: 'genia', share: [0.0, 0.81] },
  validation_dataset_reader: self.dataset_reader { corpus: { type: 'genia', share: [0.81, 0.9] } },
}
