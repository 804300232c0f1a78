// The full model on CoNLL-2003, English, in the folder that CONLL2003 names; 14,041, 3,250 and 3,453 sentences.
// Differs from the paper in trees, which come from the spaCy pipeline that PARSER names; the paper does not name
// its parser. Parts of speech come from the corpus.
// Published F1: dev 91.17 (Table 2), test 91.90 ± 0.08 (Table 3).
(import '../paper.jsonnet') + (import '../corpora.libsonnet').conll2003
