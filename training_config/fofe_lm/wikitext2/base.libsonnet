// Language models of WikiText-2, which differ in their knowledge of the history: the thesis's settings for the Penn Treebank
// (fofe_lm/paper.jsonnet), gradients clipped, 15 epochs. Lines are paragraphs; here a sentence ends after each `.`, `?` or
// `!` (a run of them ends one) and with its line, so that all models count the same tokens, an `</s>` after each sentence
// among them; paragraphs:: lets contexts cross sentences. They train on the first 2,866 lines, 10,001 sentences, and predict
// their 10,000 most frequent words: sizes for a CPU.
(import '../base.libsonnet') + (import '../../lib/data.libsonnet').wikitext2 + (import '../../lib/seed.libsonnet') {
  paragraphs:: false,
  training_instances:: if self.paragraphs then 2866 else 10001,  // null for all, some 24,000 and 84,000
  epochs:: 15,

  dataset_reader+: {
    sentence_ends: ['.', '?', '!'],
    whole_lines: $.paragraphs,
    max_instances: $.training_instances,
  },
  validation_dataset_reader: self.dataset_reader { max_instances: null },
  trainer+: { grad_norm: 5.0 },
  evaluate_on_test: true,
}
