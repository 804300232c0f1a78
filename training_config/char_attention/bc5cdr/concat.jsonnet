// BC5CDR, chemicals and diseases in sentences of abstracts: words and characters concatenated.
// Measured: not trained.
(import '../free_data.libsonnet').bc5cdr + (import '../rows.libsonnet').concat
