// Table 2, Attention, TLSTM + RA + GA†: stacked Tree-LSTM layers and both attentions.
// Published dev F1: CoNLL 2003 90.60, SemEval 2010 86.24, ON 5.0 BN 88.79.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_ra_ga
