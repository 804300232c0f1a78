// Table 1, ME-CRF+: the transitions of the CRF are zero for the first 20 epochs.
// Published F1, CNET, ten folds, mean of 5 runs: Link 86.3, DA 77.4, Joint 71.2.
(import '../paper.jsonnet') + (import '../rows.libsonnet').me_crf_plus
