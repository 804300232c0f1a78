// WNUT-17, Table 5.1, row 3: case-insensitive bag of words of the span.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').uncased_bag_of_words
