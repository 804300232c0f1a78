// AnatEM, anatomy in sentences of biomedical text: words alone.
// Measured: not trained.
(import '../free_data.libsonnet').anatem + (import '../rows.libsonnet').word
