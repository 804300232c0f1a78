// Table 4.2: 5-gram network; perplexity 125 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').five_gram
