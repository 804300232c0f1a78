// The shared part of the configurations of `nerzoo bench`: JSON lines in files that the command names, a seed, and
// the number of epochs: EPOCHS, or full_epochs:: if EPOCHS is empty. Word vectors are fixed and come from the file
// WORD_VECTORS, with WORD_VECTOR_SIZE numbers; if WORD_VECTORS is empty, they are learned.
local epochs = std.extVar('EPOCHS');

(import '../lib/seed.libsonnet') {
  full_epochs:: error 'full_epochs:: is missing',  // largest number of epochs, if EPOCHS is empty
  epochs:: if epochs == '' then self.full_epochs else std.parseInt(epochs),  // largest number of epochs
  has_vectors:: std.extVar('WORD_VECTORS') != '',  // whether words have vectors from a file
  vector_size:: std.parseInt(std.extVar('WORD_VECTOR_SIZE')),  // size of a vector in the file

  corpus:: { type: 'jsonl' },  // the format of the data, an object with a type
  train_data_path: 'train.jsonl',
  validation_data_path: 'dev.jsonl',
  trainer+: { num_epochs: $.epochs },
}
