// WNUT-17, Table 5.1, row 6: case-sensitive bag of words of the span.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').cased_bag_of_words
