// WNUT-17, Table 5.1, row 5: case-sensitive contexts without the span.
// Expected: F1 0.2 on dev, 0.5 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased_context_excluding
