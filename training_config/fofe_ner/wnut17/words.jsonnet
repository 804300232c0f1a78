// WNUT-17, Table 5.1, row 11: all features of words.
(import 'base.libsonnet') + (import '../rows.libsonnet').words
