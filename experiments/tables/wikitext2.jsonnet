// Language models of WikiText-2: docs/results/fofe_lm.md. The learning rate of each model is the best one of
// wikitext2_rates, or 0.128 where that has not been run.
// Minutes of one core that a run takes, 15 epochs on 10,001 sentences: 30 to 50, lstm 60, lstm_paragraphs 100.
local config = 'training_config/fofe_lm/wikitext2/%s.jsonnet';
local of_lstm = { 'trainer.optimizer.lr': 0.256 };
local little_l2 = { 'trainer.optimizer.weight_decay': 4e-5 };

{
  config: config,
  rows: {
    bigram: {},
    trigram: {},
    four_gram: {},
    fofe_1: {},
    fofe_2: {},
    fofe_2_paragraphs: {},
    fofe_2_little_l2: { config: config % 'fofe_2', overrides: little_l2 },
    lstm: { overrides: of_lstm },
    lstm_paragraphs: { overrides: of_lstm },
    lstm_little_l2: { config: config % 'lstm', overrides: of_lstm + little_l2 },
  },
  order: [
    'bigram',
    'trigram',
    'four_gram',
    'fofe_1',
    'fofe_2',
    'fofe_2_paragraphs',
    'fofe_2_little_l2',
    'lstm',
    'lstm_paragraphs',
    'lstm_little_l2',
  ],
  seeds: 1,
  overrides: { evaluate_on_test: false },
  evaluations: { test: { data: 'wikitext2/wiki.test.tokens.gz', predict: false } },
  metric: 'perplexity',
  curves: [2, 4, 8, 15],
}
