// Document NER on Wikigold, for `cross-validate`: five folds by document; each fold is the test data once.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').wikigold
