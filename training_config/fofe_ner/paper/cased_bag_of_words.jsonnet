// Table 5.1, row 6: case-sensitive bag of words of the span.
// Published test precision 85.41, recall 74.95, F1 79.84.
(import '../paper.jsonnet') + (import '../rows.libsonnet').cased_bag_of_words
