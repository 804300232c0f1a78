// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, with a link loss without the attention of
// posts to themselves.
// Measured: test link_f1 26.7, 1 seed, 10 minutes.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self
