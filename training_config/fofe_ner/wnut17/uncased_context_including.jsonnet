// WNUT-17, Table 5.1, row 1: case-insensitive contexts with the span.
// Expected: F1 18.7 on dev, 8.3 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').uncased_context_including
