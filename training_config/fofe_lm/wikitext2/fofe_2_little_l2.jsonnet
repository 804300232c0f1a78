// FOFE language model of second order on WikiText-2, with a tenth of the L2 term.
(import 'fofe_2.jsonnet') { weight_decay:: 4e-5 }
