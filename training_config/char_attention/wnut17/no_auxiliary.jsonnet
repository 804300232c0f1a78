// WNUT-17, entities of six types in tweets and comments: attention without the auxiliary loss.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').no_auxiliary
