// Molweni, dialogues with discourse relations: ME-CRF+. The transitions of its CRF are zero in the first 20 epochs.
// Measured: not trained.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').me_crf_plus
