// Molweni, dialogues with discourse relations: exclude_self with a learned addend for each distance of links.
// Measured: not trained.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').exclude_self_distances
