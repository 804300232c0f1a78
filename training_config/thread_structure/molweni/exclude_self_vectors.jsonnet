// Molweni, dialogues with discourse relations: exclude_self with fixed word vectors.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').exclude_self_vectors
