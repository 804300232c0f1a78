// Table 4.2: trigram network, larger layers; perplexity 150 on test.
(import 'ltcb.libsonnet') { order:: 2, alpha:: 0, hidden_sizes:: [600, 600] }
