// Table 2, Baselines, BLSTM WORD+POS+DEP: one BiLSTM layer over words, parts of speech and dependency labels.
// Published dev F1: CoNLL 2003 90.98, SemEval 2010 81.23, ON 5.0 BN 83.24.
(import '../paper.jsonnet') {
  semantic_layers:: 1,
  syntactic_layers:: 0,
  residual:: false,
  relative:: false,
  global:: false,
}
