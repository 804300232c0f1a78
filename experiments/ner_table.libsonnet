// A table of ner.jsonnet's recipe and its variants on a corpus of lib/data.libsonnet.
function(corpus, order) {
  rows: {
    [row]: {
      config: 'experiments/ner.jsonnet',
      environment: {
        VARIANT: row,
        [if std.startsWith(row, 'mpnet') then 'TRANSFORMER']: 'output/mpnet/all-mpnet-base-v2',
      },
    }
    for row in order
  },
  order: order,
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt', CORPUS: corpus } + import 'minilm.libsonnet',
  metric: 'f1',
  reference: 'recipe',
}
