// LSTM language model on WikiText-2 whose contexts cross the sentences of a paragraph.
(import 'lstm.jsonnet') { paragraphs:: true }
