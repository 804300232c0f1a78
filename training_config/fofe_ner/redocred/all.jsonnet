// Re-DocRED: all features of words and of characters.
// Measured: not trained.
(import '../free_data.libsonnet').redocred + (import '../rows.libsonnet').all
