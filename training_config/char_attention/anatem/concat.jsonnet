// AnatEM, anatomy in sentences of biomedical text: words and characters concatenated.
// Measured: not trained.
(import '../free_data.libsonnet').anatem + (import '../rows.libsonnet').concat
