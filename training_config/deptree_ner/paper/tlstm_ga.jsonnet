// Table 2, Attention, TLSTM + GA†: stacked Tree-LSTM layers and global attention.
// Published dev F1: CoNLL 2003 90.62, SemEval 2010 85.09, ON 5.0 BN 89.02.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_ga
