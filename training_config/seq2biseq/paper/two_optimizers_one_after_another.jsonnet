// Table 4, 2-opt, as ../paper.jsonnet, but the second optimiser takes its gradients after the step of the first: the
// text of section 4.3 fits both.
(import '../paper.jsonnet') { one_after_another:: true }
