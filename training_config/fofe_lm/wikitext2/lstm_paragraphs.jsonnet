// LSTM language model on WikiText-2 whose contexts cross the sentences of a paragraph.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').lstm { paragraphs:: true }
