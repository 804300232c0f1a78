// Table 4.2: a recurrent network of 600 units; perplexity 112 on test.
// Differs from the thesis in tanh (the toolkit that the thesis names has sigmoid units), in gradients that go back to
// the first word of the sentence, and in padded batches.
(import 'large.libsonnet').ltcb {
  word_size:: 600,
  recurrent:: { type: 'rnn', hidden_size: 600 },
  data_loader+: { batch_sampler: { type: 'bucket', batch_size: 256, sorting_keys: ['tokens'] } },
}
