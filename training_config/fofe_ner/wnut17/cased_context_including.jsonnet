// WNUT-17, Table 5.1, row 4: case-sensitive contexts with the span.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased_context_including
