// The full model on CoNLL-2012, as conll2012.jsonnet, but with trees that are converted from the constituents, as in the
// paper, which does not name its converter: here by the head rules of Collins (1999), with labels such as S|NP.
// Published F1: dev 88.97 (Table 5).
(import '../paper.jsonnet') + (import '../corpora.libsonnet').conll2012_converted
