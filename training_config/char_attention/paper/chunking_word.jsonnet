// CoNLL-2000: words alone. Published test F1: 91.23.
(import 'chunking.jsonnet') + (import '../rows.libsonnet').word
