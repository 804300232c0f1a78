// ME-CRF+ with its transitions zero in the first 20 of 50 epochs, and with the best epoch chosen on a validation fold;
// the paper takes the last epoch.
(import '../paper.jsonnet') + (import '../rows.libsonnet').me_crf_plus_validated
