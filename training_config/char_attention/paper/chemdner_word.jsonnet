// CHEMDNER: words alone. Published test F1: 79.74.
(import 'chemdner.jsonnet') + (import '../rows.libsonnet').word
