// Options of fofe_ner/*/encoded.jsonnet and their ranges, for the effort of tuning that ner_space.jsonnet gives a tagger.
{
  dropout: { low: 0.2, high: 0.7 },
  learning_rate: { low: 0.0005, high: 0.008, log: true },
  encoder_size: { low: 100, high: 300, step: 50 },
  character_filters: { low: 25, high: 100, step: 25 },
  word_min_count: { low: 1, high: 6 },
}
