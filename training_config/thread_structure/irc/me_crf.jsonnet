// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF.
// Measured: not trained.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').me_crf
