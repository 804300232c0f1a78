// WNUT-17, Table 5.1, row 7: FOFE codes of the span's characters.
// Expected: F1 1.8 on dev, 1.4 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_characters
