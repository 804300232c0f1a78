// Language models of WikiText-2: docs/results/fofe_lm.md. The learning rate of each model is the best one of wikitext2_rates.
// A run of 15 epochs on 10,001 sentences takes 45 to 55 minutes of a core, the 10 epochs in paragraphs 40.
{
  config: 'training_config/fofe_lm/wikitext2/%s.jsonnet',
  rows: {
    [row]: {}
    for row in ['fofe_2', 'fofe_2_little_l2', 'lstm', 'lstm_little_l2', 'lstm_paragraphs_little_l2']
  },
  seeds: 1,
  overrides: { evaluate_on_test: false },
  evaluations: { test: { data: 'wikitext2/wiki.test.tokens.gz', predict: false } },
  metric: 'perplexity',
  curves: [2, 4, 8, 15],
}
