// Table 4.2: FOFE of second order, which the table calls FFNN-LM; perplexity 112 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').fofe_2
