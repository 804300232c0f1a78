// ME-CRF+, its transitions zero for the first 20 of 50 epochs, the best epoch chosen on a validation fold, where the paper has none and takes the last.
(import 'me_crf_plus.jsonnet') + (import '../validated.libsonnet')
