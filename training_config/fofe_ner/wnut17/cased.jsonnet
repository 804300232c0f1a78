// WNUT-17, Table 5.1, row 10: all case-sensitive features.
// Expected: F1 25.8 on dev, 13.0 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased
