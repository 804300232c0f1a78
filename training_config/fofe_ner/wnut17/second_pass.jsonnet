// The second pass on WNUT-17. Run `nerzoo cross-predict training_config/fofe_ner/wnut17/all.jsonnet -s FOLDER` first;
// FIRST_PASS names the folder.
// Measured: not trained.
(import '../second_pass.libsonnet')((import '../free_data.libsonnet').wnut17)
