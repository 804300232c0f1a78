// WNUT-17, Table 5.1, row 14: all features of words and of characters.
(import 'base.libsonnet') + (import '../rows.libsonnet').all
