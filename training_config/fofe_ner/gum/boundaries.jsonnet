// GUM, nested: all features, lexical features of words, and GloVe's vectors of the words at both ends of a span (our
// addition).
// Measured: not trained.
(import '../free_data.libsonnet').gum + (import '../rows.libsonnet').boundaries
