// The rows of attending to characters: the columns of the paper's table of results, and our own.
{
  attention: {},  // to words and characters, as in base.libsonnet
  concat: { combination:: 'concat' },  // words and characters concatenated
  word: { combination:: 'word' },  // words alone
  no_auxiliary: { auxiliary_weight:: 0 },  // without the loss that draws character vectors towards word vectors
}
