// WNUT-17, Table 5.1, row 7: FOFE codes of the span's characters.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_characters
