// WNUT-17, Table 5.1, row 1: case-insensitive contexts with the span.
(import 'base.libsonnet') + (import '../rows.libsonnet').uncased_context_including
