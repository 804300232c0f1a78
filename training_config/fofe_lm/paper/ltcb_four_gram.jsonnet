// Table 4.2: 4-gram network; perplexity 131 on test.
(import 'ltcb.libsonnet') { order:: 3, alpha:: 0 }
