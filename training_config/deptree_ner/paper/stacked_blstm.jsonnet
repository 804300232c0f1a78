// Table 2, Stacked Layers, BLSTM: stacked BiLSTM layers.
// Published dev F1: CoNLL 2003 91.68, SemEval 2010 84.32, ON 5.0 BN 88.48.
(import '../paper.jsonnet') + (import '../rows.libsonnet').stacked_blstm
