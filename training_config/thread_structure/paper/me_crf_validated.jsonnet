// ME-CRF with the best epoch chosen on a validation fold; the paper takes the last epoch.
(import '../paper.jsonnet') + (import '../rows.libsonnet').me_crf_validated
