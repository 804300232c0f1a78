// Table 5.1, row 5: case-sensitive contexts without the span.
// Published test precision 50.91, recall 42.46, F1 46.30.
(import '../paper.jsonnet') + (import '../rows.libsonnet').cased_context_excluding
