// Learning rates for language models of WikiText-2, six epochs on 12,000 sentences each. With each L2 term, the rate
// with the lowest perplexity on the development part is that of the model in wikitext2, except for lstm-4e-5, which has
// only one of its four records.
local wikitext2 = import 'wikitext2.jsonnet';

(import '../rates_table.libsonnet')({
  ['%s-%s' % [model, l2]]: {
    config: wikitext2.config_of(model),
    overrides: { 'trainer.optimizer.weight_decay': std.parseJson(l2) },
  }
  for model in wikitext2.models
  for l2 in wikitext2.l2_terms
}, [0.064, 0.128, 0.256, 0.512]) {
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
