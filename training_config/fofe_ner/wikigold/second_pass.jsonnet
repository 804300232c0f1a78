// The second pass on Wikigold, for three files of documents: the data is not divided.
(import '../second_pass.libsonnet')(import 'all.jsonnet')
