// The second pass on Wikigold, which is not divided: docs/results/fofe_ner.md makes three files of its documents.
(import '../second_pass.libsonnet')(import 'all.jsonnet')
