// The FCE: words alone. Published test F0.5: 41.24.
(import 'error_detection.jsonnet') + (import '../rows.libsonnet').word
