// Table 5.3: both passes; published test F1 90.85.
// Contexts without the span and the weight of the first pass are the original program's; the thesis does not say them.
// After `allennlp cross-predict training_config/fofe_ner/paper.jsonnet -s FOLDER`; FIRST_PASS names the folder.
(import '../second_pass.libsonnet')(import '../paper.jsonnet')
