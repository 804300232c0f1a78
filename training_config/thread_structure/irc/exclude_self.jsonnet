// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, the loss of links without the attention of
// posts to themselves.
(import 'base.libsonnet') { exclude_self:: true }
