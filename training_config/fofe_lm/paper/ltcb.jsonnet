// The best row of Table 4.2: FOFE of second order, larger layers; perplexity 107 on test.
(import 'ltcb.libsonnet') { hidden_sizes:: [600, 600] }
