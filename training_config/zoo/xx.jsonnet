// A tagger of persons, places and organizations in eight languages, for the zoo: characters and learned vectors, no file
// of vectors. DATA names the folder of the corpora. Chinese is read character by character, as raw text of it is.
local names = { PER: 'PER', LOC: 'LOC', ORG: 'ORG' };
local columns(folder) = { corpus: 'columns', files: 'uner_other/%s/*.txt.gz' % folder, labels: names };
local trees(folder) = { corpus: 'conllu', files: folder + '/*.conllu.gz', labels: names };

(import '../ner.jsonnet') + (import '../lib/seed.libsonnet') + {
  character_filters:: 64,
  character_size:: 32,
  ngram_sizes:: [2, 3, 4],
  word_min_count:: 3,
  word_size+:: self.character_filters * (std.length(self.ngram_sizes) - 1),
  word_embedders+:: { characters+: { encoder+: { ngram_filter_sizes: $.ngram_sizes } } },

  dataset_reader+: {
    corpus: {
      type: 'mixture',
      parts: {
        uner_ewt: trees('uner_ewt'),
        uner_hr: columns('hr'),
        uner_da: columns('da'),
        uner_pt: trees('uner_other/pt'),
        uner_sr: columns('sr'),
        uner_sk: trees('uner_other/sk'),
        uner_sv: columns('sv'),
        uner_zh: columns('zh') { characters: true },
      },
    },
  },
  train_data_path: std.extVar('DATA') + '/train',
  validation_data_path: std.extVar('DATA') + '/dev',
  data_loader: { batch_sampler: { type: 'bucket', batch_size: 32, sorting_keys: ['tokens'] } },
  trainer+: {
    num_epochs: 20,
    optimizer: { type: 'fused_adam', lr: 0.002 },
    learning_rate_scheduler: { type: 'exponential', gamma: 0.85 },
    moving_average: { type: 'exponential', decay: 0.999 },
  },
}
