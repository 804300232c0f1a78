// GENIA, parts of speech in abstracts: words and characters concatenated.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').concat
