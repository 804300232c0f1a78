// What the systems of `allennlp bench` share: JSON lines, whose files the command names; a seed, and epochs, EPOCHS of them
// or, where that is empty, full_epochs::. Word vectors are those of the file that WORD_VECTORS names, of WORD_VECTOR_SIZE
// numbers, which stay as they are; where it is empty, they are learned.
local epochs = std.extVar('EPOCHS');

(import '../lib/seed.libsonnet') {
  full_epochs:: error 'full_epochs:: is missing',
  epochs:: if epochs == '' then self.full_epochs else std.parseInt(epochs),
  has_vectors:: std.extVar('WORD_VECTORS') != '',
  vector_size:: std.parseInt(std.extVar('WORD_VECTOR_SIZE')),

  corpus:: { type: 'jsonl' },
  train_data_path: 'train.jsonl',
  validation_data_path: 'dev.jsonl',
  trainer+: { num_epochs: $.epochs },
}
