// The Wall Street Journal: words alone. Published test accuracy: 96.42.
(import 'pos.jsonnet') + (import '../rows.libsonnet').word
