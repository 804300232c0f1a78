// WNUT-17, Table 5.1, row 9: all case-insensitive features.
(import 'base.libsonnet') + (import '../rows.libsonnet').uncased
