// The full model on the broadcast news of OntoNotes 5.0, in the folder that ONTONOTES_BN names, which has train/ and
// development/; Table 1: 9,723, 1,172 and 1,252 sentences. The paper does not say how they were divided.
// Differs from the paper in trees: the paper converts them from constituents; here they come from the
// spaCy pipeline that PARSER names. Parts of speech come from the corpus.
// Published F1: dev 89.22 with converted trees, 86.92 with predicted trees (Tables 2, 5), test 89.22 ± 0.28 (Table 3).
(import '../paper.jsonnet') + (import '../corpora.libsonnet').ontonotes_bn
