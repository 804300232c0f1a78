// GENIA, parts of speech in abstracts: words alone.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').word
