// Table 4.2: FOFE of first order; perplexity 120 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').fofe_1
