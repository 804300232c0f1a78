// Table 2, Baselines, BLSTM WORD: one BiLSTM layer over words alone.
// Published dev F1: CoNLL 2003 89.06, SemEval 2010 80.81, ON 5.0 BN 83.30.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_word
