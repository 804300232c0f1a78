// FOFE language model of second order on WikiText-2 whose contexts cross the sentences of a paragraph.
// Measured: not trained.
(import 'base.libsonnet') + (import '../rows.libsonnet').fofe_2 { paragraphs:: true }
