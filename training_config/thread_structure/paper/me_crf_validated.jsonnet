// ME-CRF with the best epoch chosen on a validation fold; the paper takes the last epoch.
(import 'me_crf.jsonnet') + (import '../validated.libsonnet')
