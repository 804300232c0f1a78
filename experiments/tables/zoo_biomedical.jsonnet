// The zoo's tagger of biomedical text beside the same tagger trained on each of its corpora alone: docs/results/zoo_corpora.md.
// A run of all takes an hour of a core, one of a corpus 6 to 20 minutes.
local parts = import '../../training_config/lib/biomedical.libsonnet';
local names = std.objectFields(parts);
local config = 'training_config/zoo/en-biomedical.jsonnet';
local only(name) = { 'dataset_reader.corpus.parts': { [name]: parts[name] } };
{
  rows: { all: { config: config } } + { [name]: { config: config, overrides: only(name) } for name in names },
  order: ['all'] + names,
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  evaluations: { [name]: { data: 'test', overrides: only(name) } for name in names },
  metric: 'f1',
  reference: 'all',
}
