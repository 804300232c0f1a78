// WNUT-17, entities of six types in tweets and comments: attention to words and characters.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').attention
