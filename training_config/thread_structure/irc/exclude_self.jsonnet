// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, its link loss without self-attention.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self
