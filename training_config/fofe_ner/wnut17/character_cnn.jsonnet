// WNUT-17, Table 5.1, row 8: a CNN over the span's characters.
// Expected: F1 7.5 on dev, 5.0 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').character_cnn
