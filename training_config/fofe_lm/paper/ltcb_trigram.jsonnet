// Table 4.2: trigram network; perplexity 155 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').trigram
