// AnatEM, anatomy in sentences of biomedical text: attention to words and characters.
// Measured: not trained.
(import '../free_data.libsonnet').anatem + (import '../rows.libsonnet').attention
