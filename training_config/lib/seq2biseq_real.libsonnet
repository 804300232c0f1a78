// Seq2Biseq on real data, small. VARIANT is seq2biseq (no lexical information in the decoders), seq2biseq_le, segments,
// forward_only, two_optimizers or bigru_crf, all but the first and the last with lexical information; SEED is the seed.
// RESULTS.md has the commands.
local seed = std.parseInt(std.extVar('SEED'));
local variants = {
  seq2biseq: { variant:: 'seq2biseq' },
  seq2biseq_le: { variant:: 'seq2biseq_le' },
  segments: { segment_length:: self.length_of_segments, segment_stride:: self.stride_of_segments },
  forward_only: { variant:: 'forward_only' },
  two_optimizers: { two_optimizers:: true },
  bigru_crf: { variant:: 'bigru_crf' },
};

(import 'seq2biseq.libsonnet') + variants[std.extVar('VARIANT')] {
  word_size:: 100,
  label_size:: 32,
  character_size:: 25,
  character_hidden_size:: 50,
  hidden_size:: 100,
  dropout:: 0.4,
  batch_size:: 32,
  optimizer:: { type: 'adam', lr: 3e-3 },
  weight_decay:: 1e-6,
  random_seed: seed,
  numpy_seed: seed,
  pytorch_seed: seed,
}
