// BC2GM: words alone. Published test F1, with alternative boundaries: 84.21.
(import 'bc2gm.jsonnet') + (import '../rows.libsonnet').word
