// Table 4.2: FOFE of first order; perplexity 120 on test.
(import 'ltcb.libsonnet') { order:: 1 }
