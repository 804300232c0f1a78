// Threads of the IRC corpus: docs/results/thread_structure.md. Links are what there is to find: MEMNET and ME-CRF+ differ from
// ME-CRF in acts alone.
// An epoch takes 55 s of a core, with vectors 110 s: 14 and 28 minutes a run.

// Rows without a network, which read the threads as `me_crf` does.
local baseline(system) = {
  config: 'training_config/thread_structure/irc/me_crf.jsonnet',
  program: ['experiments.thread_baselines', system],
};
{
  config: 'training_config/thread_structure/irc/%s.jsonnet',
  rows: { [row]: {} for row in ['me_crf', 'exclude_self', 'exclude_self_distances', 'exclude_self_vectors'] } + {
    [row]: baseline(row)
    for row in ['previous_post', 'crf', 'joint_crf']
  },
  order: ['previous_post', 'crf', 'joint_crf', 'me_crf', 'exclude_self', 'exclude_self_distances', 'exclude_self_vectors'],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { test: { data: 'irc_disentanglement/ubuntu-ascii-annotation.tar.gz!data/test' } },
  metric: 'link_f1',
  columns: ['link_precision', 'link_recall', 'link_f1', 'link_thread_accuracy', 'joint_f1'],
  reference: 'me_crf',
}
