// WNUT-17, Table 5.1, row 11: all features of words.
// Expected: F1 26.7 on dev, 17.8 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').words
