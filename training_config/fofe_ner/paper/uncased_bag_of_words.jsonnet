// Table 5.1, row 3: case-insensitive bag of words of the span.
// Published test precision 82.92, recall 71.85, F1 76.99.
(import '../paper.jsonnet') + (import '../rows.libsonnet').uncased_bag_of_words
