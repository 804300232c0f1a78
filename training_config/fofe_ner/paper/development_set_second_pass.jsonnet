// Table 5.3: both passes, trained on the development part, too; published test F1 91.17.
// Contexts without the span and the weight of the first pass are the original program's; the thesis does not say them.
// After `allennlp cross-predict training_config/fofe_ner/paper/development_set.jsonnet -s FOLDER`; FIRST_PASS names the
// folder.
(import '../second_pass.libsonnet')(import 'development_set.jsonnet')
