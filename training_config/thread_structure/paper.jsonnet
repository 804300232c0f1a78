// Thread discourse structure with the paper's settings. The files in paper/ are the neural rows of its Table 1; the
// files with _validated at the end of their name use a fold for validation.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 4.2.
// Data: the threads of the JSON Lines file that the environment variable THREADS names, in ten folds by the subcommand
// `cross-validate`; the paper has no development data and trains all 50 epochs.
// Not given in the paper: Adam's default learning rate, no gradient clipping, every word of the training folds in the
// vocabulary. Acts of other folds are known, but never learned.
// Expected: F1 on CNET, ten folds, mean of 5 runs: Link 86.4, DA 77.5, Joint 70.9 (Table 1, ME-CRF); not measured here,
// because CNET is not available.
(import 'base.libsonnet') + (import '../lib/seed.libsonnet') { train_data_path: std.extVar('THREADS') }
