// Table 1, ME-CRF+: the transitions of the CRF are zero for the first 20 epochs.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 4.2. Data: the threads of the JSON Lines file that the environment variable THREADS names, in ten
// folds by the subcommand `cross-validate`; the paper has no development part and trains all 50 epochs.
// Where the paper is silent: Adam's default learning rate, no gradient clipping, every word in the vocabulary.
// Published F1, CNET, ten folds, mean of 5 runs: Link 86.3, DA 77.4, Joint 71.2.
(import '../lib/thread_structure.libsonnet') { train_data_path: std.extVar('THREADS'), frozen_epochs:: 20 }
