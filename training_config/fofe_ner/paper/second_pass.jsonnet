// Table 5.3: both passes; published test F1 90.85.
// Run `nerzoo cross-predict training_config/fofe_ner/paper.jsonnet -s FOLDER` first; FIRST_PASS names the folder.
(import '../second_pass.libsonnet')(import '../paper.jsonnet')
