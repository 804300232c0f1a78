// Table 2, Attention, TLSTM + RA†: stacked Tree-LSTM layers and relative attention.
// Published dev F1: CoNLL 2003 91.13, SemEval 2010 84.94, ON 5.0 BN 88.11.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_ra
