// Molweni, dialogues with discourse relations: ME-CRF.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').me_crf
