// FOFE-NER on WNUT-17, all features. Files in this folder and files of the same names in ../paper/ are the same rows of
// Table 5.1.
(import '../wikitext2_vectors.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  batch_size:: 16,
  learning_rate:: 2e-3,
  epochs:: 10,
}
