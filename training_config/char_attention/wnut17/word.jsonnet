// WNUT-17, entities of six types in tweets and comments: words alone.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').word
