// The best row of Table 4.2: FOFE of second order, larger layers; perplexity 107 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').fofe_2 { hidden_sizes:: [600, 600] }
