// The rows of thread discourse structure.
local validated = { validation_metric:: '+joint_f1' };

{
  // Table 1 of the paper: acts by a softmax at each post, or by a CRF, without or with frozen transitions.
  memnet: { distribution:: 'softmax' },
  me_crf: {},
  me_crf_plus: { frozen_epochs:: 20 },
  // Not from the paper: the best of the 50 epochs by another fold, which `cross-validate` then uses for validation; of
  // me_crf_plus the best of the 30 epochs after the thaw.
  memnet_validated: self.memnet + validated,
  me_crf_validated: self.me_crf + validated,
  me_crf_plus_validated: self.me_crf_plus + validated,
  // Not from the paper: a link loss without the attention of posts to themselves; with it, a learned addend for each
  // distance of links, or fixed vectors from the file WORD_VECTORS, GloVe's of 100 dimensions, in place of learned ones;
  // only words that the file lacks have these.
  exclude_self: { exclude_self:: true },
  exclude_self_distances: self.exclude_self { distance_bias:: true },
  exclude_self_vectors: self.exclude_self {
    word_vector_size:: 100,
    word_vectors:: import '../lib/word_vectors.libsonnet',
  },
}
