// JNLPBA: words and characters concatenated. Published test F1: 72.24.
(import 'jnlpba.jsonnet') + (import '../rows.libsonnet').concat
