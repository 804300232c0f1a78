// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, with a link loss without the attention of
// posts to themselves.
(import 'base.libsonnet') { exclude_self:: true }
