// FOFE-NER on Wikigold, for `cross-validate`: five folds by document; each fold is the test data once.
(import '../glove.libsonnet') + (import '../../lib/data.libsonnet').wikigold { epochs:: 30 }
