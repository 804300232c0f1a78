// Table 2, Baselines, BLSTM WORD+POS: one BiLSTM layer over words and parts of speech.
// Published dev F1: CoNLL 2003 91.22, SemEval 2010 80.31, ON 5.0 BN 84.58.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_word_pos
