// Table 2, Attention, BLSTM + GA†: stacked BiLSTM layers and global attention.
// Published dev F1: CoNLL 2003 91.39, SemEval 2010 84.87, ON 5.0 BN 88.39.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_ga
