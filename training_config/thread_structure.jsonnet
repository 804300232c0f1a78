// Thread discourse structure, small: reply links and dialogue acts by a memory-enhanced CRF, trained on the threads in
// the repository.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 4.
// Differs from the paper in the learning rate and the size of batches, because the fixture has 28 threads, and in
// keeping the best epoch on development data; thread_structure/paper.jsonnet has the paper's settings.
// Expected: Link 96.4, DA 100, Joint 96.4 on dev; 86.6, 97.0, 86.6 on test, within a minute on one CPU core.
(import 'thread_structure/base.libsonnet') + (import 'lib/seed.libsonnet') + {
  batch_size:: 4,
  learning_rate:: 0.01,
  validation_metric:: '+joint_f1',

  train_data_path: 'fixtures/threads/train.jsonl',
  validation_data_path: 'fixtures/threads/dev.jsonl',
} + import 'lib/words.libsonnet'
