// WNUT-17, Table 5.1, row 8: a CNN over the span's characters.
(import 'base.libsonnet') + (import '../rows.libsonnet').character_cnn
