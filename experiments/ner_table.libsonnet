// A table of ner.jsonnet's recipe and its variants on a corpus of lib/data.libsonnet.
local rows = [
  'recipe',
  'adam',
  'tuned_vectors',
  'no_shapes',
  'zero_digits',
  'variational_dropout',
  'no_input_dropout',
];

function(corpus) {
  rows: { [row]: { config: 'experiments/ner.jsonnet', environment: { VARIANT: row } } for row in rows },
  order: rows,
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt', CORPUS: corpus },
  metric: 'f1',
  reference: 'recipe',
}
