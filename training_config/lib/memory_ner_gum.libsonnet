// Document NER on GUM: entities with a proper name as their head, the outermost ones. A document has 58 sentences on average.
(import 'memory_ner_real_data.libsonnet') {
  corpus:: { type: 'conllu', proper_names: true },
  documents_per_batch:: 1,
  patience:: 5,
  train_data_path: '../shared/data/gum/train.conllu.gz',
  validation_data_path: '../shared/data/gum/dev.conllu.gz',
}
