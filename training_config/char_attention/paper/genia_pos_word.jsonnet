// GENIA's parts of speech: words alone. Published test accuracy: 97.39.
(import 'genia_pos.jsonnet') + (import '../rows.libsonnet').word
