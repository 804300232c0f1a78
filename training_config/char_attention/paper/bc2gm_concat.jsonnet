// BC2GM: words and characters concatenated. Published test F1, with alternative boundaries: 87.75.
(import 'bc2gm.jsonnet') + (import '../rows.libsonnet').concat
