// The second pass on WNUT-17, after `allennlp cross-predict training_config/fofe_ner/wnut17/all.jsonnet -s FOLDER`;
// FIRST_PASS names the folder.
(import '../second_pass.libsonnet')(import 'all.jsonnet')
