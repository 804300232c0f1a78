// Table 4.2: trigram network; perplexity 155 on test.
(import 'ltcb.libsonnet') { order:: 2, alpha:: 0 }
