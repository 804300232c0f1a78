// Seq2Biseq on free data, with the sizes, dropout and initial embeddings of the paper. In the paper, the optimiser
// depends on the data set: plain gradient descent, or Adam without a given rate. Here all rows have Adam, batches of 32
// and the same number of updates.
local data = import '../lib/data.libsonnet';

local shared = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  embedding_initializer:: { type: 'normal', std: 1.0 },  // N(0, 1), PyTorch's default
  batch_size:: 32,
  optimizer:: { type: 'fused_adam', lr: 1e-3, decoupled_weight_decay: true },
};

{
  shared: shared,
  // The slots of requests to an assistant; the sizes for MEDIA.
  snips: shared + data.snips {
    task:: 'slots',
    sclite_weights:: true,
    crf_hidden_size:: 578,  // about as many parameters as seq2biseq_le
    epochs:: 15,
  },
  // The language-specific parts of speech; the sizes for WSJ.
  ud_english_ewt: shared + data.ud_english_ewt {
    task:: 'pos',
    word_vector_size:: 300,
    hidden_size:: 150,
    crf_hidden_size:: 266,  // about as many parameters as seq2biseq_le
    epochs:: 9,
  },
  // Names of three types in the same sentences; the same sizes.
  uner_ewt: self.ud_english_ewt + data.uner_ewt {
    task:: 'ner',
    crf_hidden_size:: 291,  // about as many parameters as last_characters_glove
  },
}
