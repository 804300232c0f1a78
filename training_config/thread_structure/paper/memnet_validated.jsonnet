// MEMNET, the best epoch chosen on a validation fold, where the paper has none and takes the last.
(import 'memnet.jsonnet') + (import '../validated.libsonnet')
