// Wikigold: a memory of the document, read once, as in the paper.
// Measured: folds f1 66.6 ± 0.4, 3 seeds, 3 minutes.
(import '../free_data.libsonnet').wikigold + (import '../rows.libsonnet').hops_1
