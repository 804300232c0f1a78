// Language models of WikiText-2: docs/results/fofe_lm.md. The learning rate of each model is the best one of
// wikitext2_rates, or 0.128 where that has not been run.
// Minutes of one core that a run takes, 15 epochs on 10,001 sentences: 30 to 50, lstm 45, lstm_paragraphs 100.
{
  config: 'training_config/fofe_lm/wikitext2/%s.jsonnet',
  local rates = { lstm: 0.256, lstm_paragraphs: self.lstm },
  rows: {
    [row]: if std.objectHas(rates, row) then { overrides: { 'trainer.optimizer.lr': rates[row] } } else {}
    for row in self.order
  },
  order: ['bigram', 'trigram', 'four_gram', 'fofe_1', 'fofe_2', 'fofe_2_paragraphs', 'lstm', 'lstm_paragraphs'],
  seeds: 1,
  overrides: { evaluate_on_test: false },
  evaluations: { test: { data: 'wikitext2/wiki.test.tokens.gz', predict: false } },
  metric: 'perplexity',
  reference: 'lstm',
}
