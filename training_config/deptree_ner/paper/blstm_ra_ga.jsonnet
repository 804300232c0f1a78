// Table 2, Attention, BLSTM + RA + GA†: stacked BiLSTM layers and both attentions.
// Published dev F1: CoNLL 2003 91.63, SemEval 2010 85.12, ON 5.0 BN 88.66.
(import '../paper.jsonnet') + (import '../rows.libsonnet').blstm_ra_ga
