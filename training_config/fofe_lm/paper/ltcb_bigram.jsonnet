// Table 4.2: bigram network; perplexity 241 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').bigram
