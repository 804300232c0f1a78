// Table 4.2: FOFE of first order, larger layers; perplexity 115 on test.
(import 'ltcb.libsonnet') { order:: 1, hidden_sizes:: [600, 600] }
