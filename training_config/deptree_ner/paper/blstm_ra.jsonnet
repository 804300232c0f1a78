// Table 2, Attention, BLSTM + RA†: stacked BiLSTM layers and relative attention.
// Published dev F1: CoNLL 2003 91.65, SemEval 2010 84.19, ON 5.0 BN 88.51.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_ra
