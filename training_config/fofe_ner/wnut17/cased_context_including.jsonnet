// WNUT-17, Table 5.1, row 4: case-sensitive contexts with the span.
// Expected: F1 13.9 on dev, 7.2 on test.
(import 'base.libsonnet') + (import '../rows.libsonnet').cased_context_including
