// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, with a link loss without the attention of
// posts to themselves.
// Measured: test link_f1 24.8, 1 seed, 15 minutes.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self
