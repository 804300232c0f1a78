// Language models of WikiText-2: docs/results/fofe_lm.md. The learning rate of each model is to be the best one of
// wikitext2_rates; without that table, it is 0.128 for all.
// Minutes of one core that a run takes, 15 epochs on 10,001 sentences: 30 to 50, lstm 45, lstm_paragraphs 100.
{
  config: 'training_config/fofe_lm/wikitext2/%s.jsonnet',
  rows: { [row]: {} for row in self.order },
  order: ['bigram', 'trigram', 'four_gram', 'fofe_1', 'fofe_2', 'fofe_2_paragraphs', 'lstm', 'lstm_paragraphs'],
  seeds: 1,
  overrides: { evaluate_on_test: false },
  evaluations: { test: { data: 'wikitext2/wiki.test.tokens.gz', predict: false } },
  metric: 'perplexity',
  reference: 'lstm',
}
