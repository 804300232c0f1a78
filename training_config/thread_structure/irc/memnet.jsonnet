// IRC, messages of a chat with the earlier ones that they reply to: MEMNET, acts by a softmax at each post.
// Measured: not trained.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').memnet
