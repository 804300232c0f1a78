// Table 5.3: both passes, trained also on the development data; published test F1 91.17.
// Run `nerzoo cross-predict training_config/fofe_ner/paper/development_set.jsonnet -s FOLDER` first; FIRST_PASS names
// the folder.
(import '../second_pass.libsonnet')(import 'development_set.jsonnet')
