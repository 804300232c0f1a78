// What each corpus brings to the zoo's English tagger: docs/results/zoo_corpora.md. A run takes 20 minutes of a core.
local parts = import '../../training_config/lib/english_names.libsonnet';
local only(names) = { 'dataset_reader.corpus.parts': { [name]: parts[name] for name in names } };
local others(name) = std.setDiff(std.objectFields(parts), [name]);
{
  rows: {
    all: { config: 'training_config/zoo/en.jsonnet' },
  } + {
    ['without_' + name]: { config: 'training_config/zoo/en.jsonnet', overrides: only(others(name)) }
    for name in std.objectFields(parts)
  },
  order: ['all'] + ['without_' + name for name in std.objectFields(parts)],
  seeds: 1,
  environment: { WORD_VECTORS: 'output/glove.100d.txt' },
  // Wikigold has no test part.
  evaluations: { [name]: { data: 'test', overrides: only([name]) } for name in others('wikigold') },
  metric: 'f1',
  reference: 'all',
}
