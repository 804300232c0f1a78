// Table 4.2: FOFE of first order, larger layers; perplexity 115 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').fofe_1 { hidden_sizes:: [600, 600] }
