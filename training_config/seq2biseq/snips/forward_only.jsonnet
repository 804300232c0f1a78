// SNIPS: the left-to-right decoder alone, with lexical information.
(import '../free_data.libsonnet').snips + (import '../rows.libsonnet').forward_only
