// Table 5.3: trained also on the development data; published test F1 90.92.
// Data: both parts concatenated, eng.train_testa, in the folder that the environment variable CONLL2003 names:
//   cat eng.train eng.testa > eng.train_testa
// No data is left to choose an epoch: the model is the one of the last epoch.
(import '../paper.jsonnet') {
  train_data_path: std.extVar('CONLL2003') + '/eng.train_testa',
  validation_data_path:: null,
}
