// Table 2, Baselines, TLSTM WORD: one Tree-LSTM layer over words alone.
// Published dev F1: CoNLL 2003 86.72, SemEval 2010 79.53, ON 5.0 BN 82.20.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_word
