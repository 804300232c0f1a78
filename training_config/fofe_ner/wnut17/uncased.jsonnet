// WNUT-17, Table 5.1, row 9: all case-insensitive features.
// Expected: F1 27.2 on dev, 16.7 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').uncased
