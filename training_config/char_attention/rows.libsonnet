// The rows of attending to characters: the columns of the paper's table of results, and our own.
{
  attention: {},  // to words and characters, as in base.libsonnet
  concat: { combination:: 'concat' },  // words and characters concatenated
  word: { combination:: 'word' },  // words alone
  no_auxiliary: { auxiliary_weight:: 0 },  // without the loss that draws character vectors towards word vectors
  // The gate of Miyamoto and Cho (2016), with which the paper contrasts its own: one weight for a word, which the word
  // alone decides, without that loss; and the first two of these by themselves.
  scalar_gate: { scalar_gate:: true },
  word_gate: { gate_reads_characters:: false },
  scalar_word_gate: { scalar_gate:: true, gate_reads_characters:: false, auxiliary_weight:: 0 },
  // The vectors of words are tuned, so that a frequent word can store what its characters do not say.
  tuned: { fixed_words:: false, lowercase_words:: true },
  tuned_concat: self.concat + self.tuned,
  tuned_word: self.word + self.tuned,
  softmax: { distribution:: 'softmax' },  // tags by a softmax at each word, without a CRF
}
