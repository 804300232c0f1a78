// WNUT-17, Table 5.1, row 10: all case-sensitive features.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased
