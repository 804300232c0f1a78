// The Wall Street Journal: words and characters concatenated. Published test accuracy: 97.22.
(import 'pos.jsonnet') + (import '../rows.libsonnet').concat
