// The second pass on Wikigold, for three files of documents: the data is not divided. RESULTS.md has the commands.
(import '../lib/fofe_ner_second_pass.libsonnet')(import 'wikigold.jsonnet')
