// Document NER on Wikigold, for `cross-validate`: five folds by document, of which each is the test data once.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').wikigold
