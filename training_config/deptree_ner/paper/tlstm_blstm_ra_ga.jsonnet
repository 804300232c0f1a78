// Table 2, Attention, TLSTM + BLSTM + RA + GA†: the full model.
// Published dev F1: CoNLL 2003 91.17, SemEval 2010 86.49, ON 5.0 BN 89.22.
(import '../paper.jsonnet') + (import '../rows.libsonnet').tlstm_blstm_ra_ga
