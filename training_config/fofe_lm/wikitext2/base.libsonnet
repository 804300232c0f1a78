// Language models of WikiText-2, which differ in their knowledge of the history, with the thesis's settings for the
// Penn Treebank (fofe_lm/paper.jsonnet), clipped gradients and 15 epochs.
// Lines are paragraphs. A sentence ends after each `.`, `?` or `!` (a run of them ends one sentence) and with its line,
// so that all models count the same tokens, including an `</s>` after each sentence; paragraphs:: lets contexts cross
// sentences. The models train on the first 2,866 lines, 10,001 sentences, and predict their 10,000 most frequent words:
// sizes for a CPU.
(import '../base.libsonnet') + (import '../../lib/data.libsonnet').wikitext2 + (import '../../lib/seed.libsonnet') {
  paragraphs:: false,  // whether a history is a paragraph; else it is a sentence
  training_instances:: if self.paragraphs then 2866 else 10001,  // null for all, about 24,000 and 84,000
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
