// Threads of Molweni: docs/results/thread_structure.md.
// An epoch of a fold takes 4 s of a core: 15 minutes a run at most, with vectors twice as long, with MiniLM 40 minutes.

// Rows without a network have no random numbers: their seeds are the same run.
local baseline(system) = {
  config: 'experiments/molweni.jsonnet',
  program: ['experiments.thread_baselines', system],
};
{
  config: 'training_config/thread_structure/molweni/%s.jsonnet',
  rows: {
    previous_post: baseline('previous_post'),
    crf: baseline('crf'),
    joint_crf: baseline('joint_crf'),
    memnet: { seeds: 1 },
    me_crf: {},
    me_crf_plus: {},
    exclude_self: {},
    exclude_self_distances: {},
    exclude_self_vectors: { seeds: 1 },
    exclude_self_minilm: { seeds: 1 },
  },
  order: [
    'previous_post',
    'crf',
    'joint_crf',
    'memnet',
    'me_crf',
    'me_crf_plus',
    'exclude_self',
    'exclude_self_distances',
    'exclude_self_vectors',
    'exclude_self_minilm',
  ],
  seeds: 3,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' } + import '../minilm.libsonnet',
  folds: 5,
  metric: 'joint_f1',
  reference: 'me_crf',
}
