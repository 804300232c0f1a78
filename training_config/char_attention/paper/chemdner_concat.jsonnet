// CHEMDNER: words and characters concatenated. Published test F1: 83.56.
(import 'chemdner.jsonnet') + (import '../rows.libsonnet').concat
