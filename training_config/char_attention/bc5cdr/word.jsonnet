// BC5CDR, chemicals and diseases in sentences of abstracts: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').bc5cdr + (import '../rows.libsonnet').word
