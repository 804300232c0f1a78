// Re-DocRED: all features of words and of characters.
// Measured: test f1 77.8, 1 seed, 21 minutes.
(import '../free_data.libsonnet').redocred + (import '../rows.libsonnet').all
