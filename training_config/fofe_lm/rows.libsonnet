// The rows of the FOFE language model: the networks of Tables 4.1 and 4.2 of the thesis, and our own.
{
  bigram: { order:: 1, alpha:: 0 },
  trigram: { order:: 2, alpha:: 0 },
  four_gram: { order:: 3, alpha:: 0 },
  five_gram: { order:: 4, alpha:: 0 },
  six_gram: { order:: 5, alpha:: 0 },
  fofe_1: { order:: 1 },
  fofe_2: { order:: 2 },
  // Table 4.1 has two recurrent networks of other authors, as published figures. These are networks of their kinds with
  // the thesis's training: the first has 400 units, the second as many parameters as fofe_2.
  rnn: { word_size:: 400, recurrent:: { type: 'rnn', hidden_size: 400 } },
  lstm: { recurrent:: { type: 'lstm', hidden_size: 358 } },
}
