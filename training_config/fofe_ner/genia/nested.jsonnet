// GENIA, nested: all features of words and of characters.
(import '../free_data.libsonnet').genia + (import '../rows.libsonnet').all
