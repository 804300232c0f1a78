// Table 4.2: trigram network, larger layers; perplexity 150 on test.
(import 'large.libsonnet').ltcb + (import '../rows.libsonnet').trigram { hidden_sizes:: [600, 600] }
