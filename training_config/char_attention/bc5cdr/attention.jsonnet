// BC5CDR, chemicals and diseases in sentences of abstracts: attention to words and characters.
// Measured: test f1 82.3, 1 seed, 22 minutes.
(import '../free_data.libsonnet').bc5cdr + (import '../rows.libsonnet').attention
