// Table 4.2: 4-gram network; perplexity 131 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').four_gram
