// IRC, messages of a chat with the earlier ones that they reply to: exclude_self with a learned addend for each
// distance of links.
// Measured: test link_f1 39.0, 1 seed, 15 minutes.
(import '../free_data.libsonnet').irc + (import '../rows.libsonnet').exclude_self_distances
