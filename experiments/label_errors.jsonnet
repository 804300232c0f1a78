// ner.jsonnet for cross-validation without a fold for validation: what `nerzoo find-label-errors` needs are predictions.
(import '../training_config/ner.jsonnet') + {
  validation_data_path:: null,
  model+: { extra_outputs: ['gold_entities'] },
  trainer+: { validation_metric:: null, num_epochs: 5 },
}
