// Table 1, ME-CRF: attention to earlier posts as links, a CRF over dialogue acts.
// Published F1, CNET, ten folds, mean of 5 runs: Link 86.4, DA 77.5, Joint 70.9.
(import '../paper.jsonnet') + (import '../rows.libsonnet').me_crf
