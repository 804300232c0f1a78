// Table 5.1, row 2: case-insensitive contexts without the span.
// Published test precision 53.98, recall 42.17, F1 47.35.
(import '../paper.jsonnet') + (import '../rows.libsonnet').uncased_context_excluding
