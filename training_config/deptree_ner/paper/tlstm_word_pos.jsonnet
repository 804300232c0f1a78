// Table 2, Baselines, TLSTM WORD+POS: one Tree-LSTM layer over words and parts of speech.
// Published dev F1: CoNLL 2003 88.91, SemEval 2010 84.07, ON 5.0 BN 88.41.
(import '../paper.jsonnet') {
  features:: ['pos'],
  semantic_layers:: 0,
  syntactic_layers:: 1,
  residual:: false,
  relative:: false,
  global:: false,
}
