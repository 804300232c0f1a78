// Molweni, dialogues with discourse relations: ME-CRF, with a link loss without the attention of posts to themselves.
// Measured: folds joint_f1 41.4 ± 0.5, 3 seeds, 1 minute.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').exclude_self
