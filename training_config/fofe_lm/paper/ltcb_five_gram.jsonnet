// Table 4.2: 5-gram network; perplexity 125 on test.
(import 'ltcb.libsonnet') { order:: 4, alpha:: 0 }
