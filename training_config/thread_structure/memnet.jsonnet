// Table 1, MEMNET: dialogue acts by a softmax at each post (equation 13), without a CRF.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 4.2. Data: the threads of the JSON Lines file that the environment variable THREADS names, in ten
// folds by the subcommand `cross-validate`; the paper has no development part and trains all 50 epochs.
// Where the paper is silent: Adam's default learning rate, no gradient clipping, every word in the vocabulary.
// Published F1, CNET, ten folds: Link 85.8, DA 76.0, Joint 69.5.
(import '../lib/thread_structure.libsonnet') { train_data_path: std.extVar('THREADS'), decoder:: 'softmax' }
