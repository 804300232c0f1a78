// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF.
// Measured: test link_f1 22.0, 1 seed, 17 minutes.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').me_crf
