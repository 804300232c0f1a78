// GUM, nested: all features of words and of characters.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').all
