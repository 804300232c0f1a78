// Molweni, dialogues with discourse relations: ME-CRF, its link loss without self-attention.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').exclude_self
