// FOFE-NER on Wikigold, all features, for `cross-validate`; memory_ner/wikigold/bilstm_crf.jsonnet is the tagger to
// compare with.
// Expected: F1 56.5 ± 4.1 over five folds.
local data = import '../../lib/data.libsonnet';

(import '../wikitext2_vectors.libsonnet') + data.wikigold {
  batch_size:: 16,
  learning_rate:: 2e-3,
  epochs:: 20,
}
