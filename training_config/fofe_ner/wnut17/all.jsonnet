// WNUT-17, Table 5.1, row 14: all features of words and of characters.
// Expected: F1 36.2 on dev, 22.1 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').all
