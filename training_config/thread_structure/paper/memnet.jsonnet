// Table 1, MEMNET: dialogue acts by a softmax at each post (equation 13), without a CRF.
// Published F1, CNET, ten folds: Link 85.8, DA 76.0, Joint 69.5.
(import '../paper.jsonnet') + (import '../rows.libsonnet').memnet
