// Molweni, dialogues with discourse relations: ME-CRF.
// Measured: folds joint_f1 39.6 ± 0.7, 3 seeds, 1 minute.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').me_crf
