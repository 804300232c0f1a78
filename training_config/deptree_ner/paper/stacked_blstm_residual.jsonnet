// Table 2, Stacked Layers, BLSTM†: stacked BiLSTM layers with residual connections.
// Published dev F1: CoNLL 2003 91.71, SemEval 2010 85.21, ON 5.0 BN 88.77.
(import '../paper.jsonnet') + (import '../rows.libsonnet').stacked_blstm_residual
