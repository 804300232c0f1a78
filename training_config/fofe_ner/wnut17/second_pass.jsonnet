// The second pass on WNUT-17, after `allennlp cross-predict training_config/fofe_ner/wnut17/all.jsonnet -s FOLDER`;
// FIRST_PASS names the folder.
// Expected: F1 34.9 on dev, 22.9 on test, with weight 0.6 of the first pass.
(import '../second_pass.libsonnet')(import 'all.jsonnet')
