// GUM: the full model without its BiLSTM.
(import 'base.libsonnet') + (import '../rows.libsonnet').tlstm_ra_ga
