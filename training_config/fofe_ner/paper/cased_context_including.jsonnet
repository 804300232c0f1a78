// Table 5.1, row 4: case-sensitive contexts with the span.
// Published test precision 88.88, recall 79.83, F1 84.12.
(import '../paper.jsonnet') + (import '../rows.libsonnet').cased_context_including
