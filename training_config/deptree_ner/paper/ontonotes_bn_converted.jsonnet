// The full model on OntoNotes 5.0, broadcast news, as ontonotes_bn.jsonnet, but with trees that are converted from the
// constituents, as in conll2012_converted.jsonnet.
// Published F1: dev 89.22 (Table 5).
(import '../paper.jsonnet') + (import '../corpora.libsonnet').ontonotes_bn_converted
