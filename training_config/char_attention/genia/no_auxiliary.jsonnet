// GENIA, parts of speech in abstracts: attention without the auxiliary loss.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').no_auxiliary
