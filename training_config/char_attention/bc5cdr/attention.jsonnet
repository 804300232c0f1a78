// BC5CDR, chemicals and diseases in sentences of abstracts: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').bc5cdr + (import '../rows.libsonnet').attention
