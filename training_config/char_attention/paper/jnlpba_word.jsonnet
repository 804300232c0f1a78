// JNLPBA: words alone. Published test F1: 70.75.
(import 'jnlpba.jsonnet') + (import '../rows.libsonnet').word
