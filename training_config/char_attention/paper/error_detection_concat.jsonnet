// The FCE: words and characters concatenated. Published test F0.5: 41.27.
(import 'error_detection.jsonnet') + (import '../rows.libsonnet').concat
