// WNUT-17, Table 5.1, row 5: case-sensitive contexts without the span.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased_context_excluding
