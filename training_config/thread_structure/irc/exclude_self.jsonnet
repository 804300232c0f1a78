// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, with a link loss without the attention of
// posts to themselves.
// Measured: not trained.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self
