// Table 2, Baselines, BLSTM WORD+POS+DEP: one BiLSTM layer over words, parts of speech and dependency labels.
// Published dev F1: CoNLL 2003 90.98, SemEval 2010 81.23, ON 5.0 BN 83.24.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_word_pos_dep
