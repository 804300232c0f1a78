// The second pass on WNUT-17, after `allennlp cross-predict training_config/fofe_ner_real_data/wnut17.jsonnet -s FOLDER` with
// ROW=all; FIRST_PASS names the folder.
(import '../lib/fofe_ner_second_pass.libsonnet')(import 'wnut17.jsonnet')
