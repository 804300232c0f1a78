// Language models of WikiText-2: docs/results/fofe_lm.md. The learning rate of each model is the best one of wikitext2_rates.
// A run of 15 epochs on 10,001 sentences takes 45 to 55 minutes of a core, the 10 epochs in paragraphs 40.
local model(name) = 'training_config/fofe_lm/wikitext2/%s.jsonnet' % name;
local fofe(name) = { config: model(name) };
local lstm(name) = { config: model(name), overrides: { 'trainer.optimizer.lr': 0.256 } };
local little_l2 = { overrides+: { 'trainer.optimizer.weight_decay': 4e-5 } };

{
  rows: {
    fofe_2: fofe('fofe_2'),
    fofe_2_little_l2: fofe('fofe_2') + little_l2,
    lstm: lstm('lstm'),
    lstm_little_l2: lstm('lstm') + little_l2,
    // The other LSTM's best epoch is the ninth.
    lstm_paragraphs_little_l2: lstm('lstm_paragraphs') + little_l2 + { overrides+: { 'trainer.num_epochs': 10 } },
  },
  seeds: 1,
  overrides: { evaluate_on_test: false },
  evaluations: { test: { data: 'wikitext2/wiki.test.tokens.gz', predict: false } },
  metric: 'perplexity',
  curves: [2, 4, 8, 15],
}
