// GENIA's parts of speech: words and characters concatenated. Published test accuracy: 98.49.
(import 'genia_pos.jsonnet') + (import '../rows.libsonnet').concat
