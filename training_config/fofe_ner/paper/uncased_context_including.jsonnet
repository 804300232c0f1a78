// Table 5.1, row 1: case-insensitive contexts with the span.
// Published test precision 86.64, recall 77.04, F1 81.56.
(import '../paper.jsonnet') + (import '../rows.libsonnet').uncased_context_including
