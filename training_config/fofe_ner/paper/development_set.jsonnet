// Table 5.3: trained on the development part, too; published test F1 90.92.
// Data: both parts one after the other, eng.train_testa, in the folder that the environment variable CONLL2003 names:
//   cat eng.train eng.testa > eng.train_testa
// No data is left to choose an epoch by: the model is that of the last one.
(import '../paper.jsonnet') {
  train_data_path: std.extVar('CONLL2003') + '/eng.train_testa',
  validation_data_path:: null,
}
