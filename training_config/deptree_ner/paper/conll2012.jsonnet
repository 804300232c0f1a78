// The full model on CoNLL-2012 (OntoNotes 5.0), English, in the folder that CONLL2012 names, which has train/ and
// development/; Table 1: 115,310, 15,680 and 12,217 sentences.
// Differs from the paper in trees: the paper converts them from constituents, as conll2012_converted.jsonnet does; here
// they come from the spaCy pipeline that PARSER names. Parts of speech come from the corpus.
// Published F1: dev 88.97 with converted trees, 86.94 with predicted trees (Table 5), test 89.07 ± 0.15 (Table 3).
(import '../paper.jsonnet') + (import '../corpora.libsonnet').conll2012
