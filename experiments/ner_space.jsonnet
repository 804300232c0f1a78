// Options of ner.jsonnet and their ranges, for `nerzoo tune`: see docs/tuning.md.
{
  dropout: { low: 0.2, high: 0.7 },
  learning_rate: { low: 0.005, high: 0.08, log: true },
  hidden_size: { low: 100, high: 300, step: 50 },
  character_filters: { low: 25, high: 100, step: 25 },
  word_min_count: { low: 1, high: 6 },
}
