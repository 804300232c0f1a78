// LSTM language model on WikiText-2, with a tenth of the L2 term.
(import 'lstm.jsonnet') { weight_decay:: 4e-5 }
