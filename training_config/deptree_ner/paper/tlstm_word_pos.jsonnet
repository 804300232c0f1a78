// Table 2, Baselines, TLSTM WORD+POS: one Tree-LSTM layer over words and parts of speech.
// Published dev F1: CoNLL 2003 88.91, SemEval 2010 84.07, ON 5.0 BN 88.41.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_word_pos
