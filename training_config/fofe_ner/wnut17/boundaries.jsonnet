// WNUT-17: all features, lexical features of words, and GloVe's vectors of the words at both ends of a span (our
// addition).
// Measured: test f1 31.9 ± 0.1, 2 seeds, 8 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').boundaries
