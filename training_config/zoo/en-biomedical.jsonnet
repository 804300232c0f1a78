// A tagger of chemicals, diseases, anatomy, genes, species, cells and sequences in English biomedical text, for the zoo.
// Each of its five corpora annotates some of these types, and says nothing of the others. DATA names the folder of the
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 40,000 most frequent words are kept, in 8
// bits.
local columns(folder, labels) = { corpus: 'columns', files: folder + '/*.txt.gz', labels: labels };

(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') + {
  character_filters:: 50,
  character_size:: 25,
  ngram_sizes:: [2, 3, 4],
  unknown_rate:: 0.1,
  word_size+:: self.character_filters * (std.length(self.ngram_sizes) - 1),

  corpora:: {
    bc5cdr: columns('bc5cdr', { Chemical: 'chemical', Disease: 'disease' }),
    ncbi_disease: columns('ncbi_disease', { Disease: 'disease' }),
    anatem: columns('anatem', { Anatomy: 'anatomy' }),
    craft: columns('craft', {
      CHEBI: 'substance',
      CL: 'cell',
      GGP: 'gene',
      GO: 'process',
      SO: 'sequence',
      Taxon: 'species',
    }),
    bc2gm: {
      corpus: 'columns',
      files: { train: 'bc2gm/train.tsv.gz', dev: 'bc2gm/devel.tsv.gz', test: 'bc2gm/test.tsv.gz' },
      labels: { GENE: 'gene' },
    },
  },

  dataset_reader+: { corpus: { type: 'mixture', parts: $.corpora, partial: true } },
  word_embedders+:: {
    tokens+: { unknown_rate: $.unknown_rate, bits: 8 },
    characters+: { encoder+: { ngram_filter_sizes: $.ngram_sizes } },
  },
  train_data_path: std.extVar('DATA') + '/train',
  validation_data_path: std.extVar('DATA') + '/dev',
  vocabulary+: { min_pretrained_embeddings: { tokens: 40000 } },
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    num_epochs: 20,
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: 0.85 },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
