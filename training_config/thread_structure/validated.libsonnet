// Added to a configuration of the paper's, `cross-validate` takes another fold for validation, and the model of the
// best of the 50 epochs. A learning rate can be chosen on these folds, too: by joint_f1 of validation_metrics in
// cross_validation.json. No patience: with 20 epochs of frozen transitions it may be out before training has begun in
// full.
(import '../lib/seed.libsonnet') + { trainer+: { validation_metric: '+joint_f1' } }
