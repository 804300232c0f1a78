// Dependency-aware NER with the paper's settings; the files in paper/ are the rows of its Table 2.
// Paper: Aguilar and Solorio, "Dependency-Aware Named Entity Recognition with Relative and Global Attentions" (2019).
// Data: SemEval-2010 Task 1, English (LDC), in the folder that the environment variable SEMEVAL2010 names.
// Word vectors: the small ELMo, 256 dimensions; ELMO_OPTIONS and ELMO_WEIGHTS name its two files.
// Where the paper is silent: 2 layers a stack, momentum 0.9, ELMo frozen with learned layer weights, BIOUL.
// Expected: dev F1 86.49, test F1 86.72 ± 0.11 with gold trees (Tables 2 and 3); not measured here, the data is not free.
local deptree = import 'base.libsonnet';
local elmo = import '../lib/elmo.libsonnet';
local data = std.extVar('SEMEVAL2010');

deptree + elmo {
  corpus:: { type: 'semeval2010' },
  train_data_path: data + '/en.train.txt',
  validation_data_path: data + '/en.devel.txt',
  trainer: {
    num_epochs: 150,
    validation_metric: '+f1',
    optimizer: { type: 'sgd', lr: 5e-3, momentum: 0.9, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'cosine', t_initial: 10, t_mul: 2 },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
