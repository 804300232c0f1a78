// FOFE-NER on WNUT-17. The environment variable ROW names a row of Table 5.1, `all` the whole model.
(import '../lib/fofe_ner_wikitext2.libsonnet') + (import '../lib/fofe_ner_rows.libsonnet')[std.extVar('ROW')] + {
  batch_size:: 16,
  learning_rate:: 2e-3,
  epochs:: 10,
  corpus:: { type: 'columns' },
  train_data_path: '../shared/data/wnut17/wnut17train.conll',
  validation_data_path: '../shared/data/wnut17/emerging.dev.conll',
}
