// SNIPS: the slots of what people say to an assistant.
local data = '../shared/data/snips/goo2018/';

(import '../lib/seq2biseq_real.libsonnet') {
  task:: 'slots',
  length_of_segments:: 10,
  stride_of_segments:: 1,
  crf_hidden_size:: 185,
  epochs:: 4,
  corpus:: { type: 'slot_filling' },
  train_data_path: data + 'train',
  validation_data_path: data + 'valid',
}
