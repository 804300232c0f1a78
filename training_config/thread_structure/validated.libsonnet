// Added to a configuration of the paper's rows. `cross-validate` then uses another fold for validation, and keeps the
// model of the best of the 50 epochs. To choose a learning rate on these folds, use joint_f1 of validation_metrics in
// cross_validation.json. There is no patience, because it could end the training during the 20 epochs of frozen
// transitions.
(import '../lib/seed.libsonnet') + { trainer+: { validation_metric: '+joint_f1' } }
