// IRC, messages of a chat with the earlier ones that they reply to: ME-CRF, with a link loss without the attention of
// posts to themselves, and with fixed word vectors.
(import 'exclude_self.jsonnet') + (import '../vectors.libsonnet')
