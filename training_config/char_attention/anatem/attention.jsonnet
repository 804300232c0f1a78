// AnatEM, anatomy in sentences of biomedical text: attention to words and characters.
// Measured: test f1 84.2, 1 seed, 18 minutes.
(import '../free_data.libsonnet').anatem + (import '../rows.libsonnet').attention
