// GENIA: training has the first 90 % of the articles, whose last tenth is the development data; the other 10 % are test
// data.
(import '../../lib/data.libsonnet').genia {
  corpus:: { type: 'genia', share: [0.0, 0.81] },
  validation_dataset_reader: self.dataset_reader { corpus: { type: 'genia', share: [0.81, 0.9] } },
}
