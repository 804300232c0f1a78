// WNUT-17, Table 5.1, row 2: case-insensitive contexts without the span.
// Expected: F1 0.2 on dev, 0.2 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').uncased_context_excluding
