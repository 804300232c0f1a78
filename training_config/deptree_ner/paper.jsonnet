// Dependency-aware NER with the paper's settings; paper/ has the rows of its Table 2, other corpora and rows of ours.
// Paper: Aguilar and Solorio, "Dependency-Aware Named Entity Recognition with Relative and Global Attentions" (2019).
// Data: SemEval-2010 Task 1, English (LDC), in the folder SEMEVAL2010. ELMO_OPTIONS and ELMO_WEIGHTS: small ELMo.
// The loss is footnote 4's, a mean over sentences of sums over tokens. Equation 6 also has a mean over the tokens,
// which divides a step of SGD by the length of the sentences.
// Not given in the paper: 2 layers per stack; momentum 0.9; frozen ELMo with learned layer weights, without state
// between batches; BIOUL; the query of the global attention, here the normalised h_n of the BiLSTM and h_root.
// Expected: dev F1 86.49, test F1 86.72 ± 0.11 with gold trees (Tables 2 and 3); not measured, the data is not free.
local deptree = import 'base.libsonnet';
local elmo = import '../lib/elmo.libsonnet';

deptree + elmo + (import '../lib/seed.libsonnet') + (import 'corpora.libsonnet').semeval2010 {
  usual_norm:: self.residual,  // equation 4 around every component, the global attention too, whose weights it cancels
  epochs:: 150,
  model+: { loss_reduction: 'sentence' },
  trainer: {
    num_epochs: $.epochs,
    validation_metric: '+f1',
    optimizer: { type: 'sgd', lr: 5e-3, momentum: 0.9, parameter_groups: $.regularised },
    learning_rate_scheduler: { type: 'cosine', t_initial: 10, t_mul: 2 },
    grad_norm: 5.0,
    callbacks: ['reproducible', 'final_report'],
  },
}
