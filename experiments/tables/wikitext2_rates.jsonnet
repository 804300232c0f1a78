// Learning rates for language models of WikiText-2, six epochs on 12,000 sentences each. With each L2 term, the rate
// with the lowest perplexity on the development part is that of the model in wikitext2.
local table = import 'wikitext2.jsonnet';

{
  rows: {
    ['%s-%s-%g' % [model, l2, rate]]: {
      config: table.config_of(model),
      overrides: { 'trainer.optimizer.weight_decay': std.parseJson(l2), 'trainer.optimizer.lr': rate },
    }
    for model in table.models
    for l2 in table.l2_terms
    for rate in [0.064, 0.128, 0.256, 0.512]
  },
  seeds: 1,
  overrides: {
    evaluate_on_test: false,
    'dataset_reader.max_instances': 12000,
    'trainer.num_epochs': 6,
    'trainer.learning_rate_scheduler.constant_epochs': 2,
    // In float32.
    'trainer.callbacks': ['reproducible', 'final_report'],
  },
  evaluations: { development: { data: 'wikitext2/wiki.valid.tokens.gz', predict: false } },
  metric: 'perplexity',
}
