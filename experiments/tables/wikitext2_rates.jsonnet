// Learning rates for language models of WikiText-2: three of the thesis's five, two epochs on 5,000 sentences each. The one
// with the lowest perplexity on the development part is that of the model in wikitext2.
// Minutes of one core that a run takes: 2.5, the LSTM 3.5.
{
  config: 'training_config/fofe_lm/wikitext2/%s.jsonnet',
  rows: {
    ['%s-%g' % [model, rate]]: {
      config: 'training_config/fofe_lm/wikitext2/%s.jsonnet' % model,
      overrides: { 'trainer.optimizer.lr': rate },
    }
    for model in ['fofe_2', 'lstm']
    for rate in [0.256, 0.128, 0.064]
  },
  seeds: 1,
  overrides: { evaluate_on_test: false, 'trainer.num_epochs': 2, 'dataset_reader.max_instances': 5000 },
  evaluations: { development: { data: 'wikitext2/wiki.valid.tokens.gz', predict: false } },
  metric: 'perplexity',
}
