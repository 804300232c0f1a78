// GUM: the full model without residual connections and normalisation.
(import 'base.libsonnet') { residual:: false }
