// Table 2, Baselines, TLSTM WORD+POS+DEP: one Tree-LSTM layer over words, parts of speech and dependency labels.
// Published dev F1: CoNLL 2003 89.20, SemEval 2010 84.89, ON 5.0 BN 88.67.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_word_pos_dep
