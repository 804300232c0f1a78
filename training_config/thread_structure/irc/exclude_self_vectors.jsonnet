// IRC, messages of a chat with the earlier ones that they reply to: exclude_self with fixed word vectors.
// Measured: not trained.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self_vectors
