// CoNLL-2000: words and characters concatenated. Published test F1: 92.35.
(import 'chunking.jsonnet') + (import '../rows.libsonnet').concat
