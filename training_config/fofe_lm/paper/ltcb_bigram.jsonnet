// Table 4.2: bigram network; perplexity 241 on test.
(import 'ltcb.libsonnet') { order:: 1, alpha:: 0 }
