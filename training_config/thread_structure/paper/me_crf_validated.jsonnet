// ME-CRF, the best epoch chosen on a validation fold, where the paper has none and takes the last.
(import 'me_crf.jsonnet') + (import '../validated.libsonnet')
