// FOFE-NER on WNUT-17, all features; the files in this folder that are named as those in ../paper/ are the rows of Table 5.1.
(import '../wikitext2_vectors.libsonnet') + (import '../../lib/data.libsonnet').wnut17 {
  batch_size:: 16,
  learning_rate:: 2e-3,
  epochs:: 10,
}
