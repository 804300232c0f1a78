// GENIA, parts of speech in abstracts: attention to words and characters.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').attention
