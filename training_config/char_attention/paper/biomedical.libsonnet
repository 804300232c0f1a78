// Biomedical text: word2vec's vectors of PubMed and PMC, 200 dimensions, as text, in the file that the environment
// variable BIOMEDICAL_WORD2VEC names. (This was written from a summary of the paper that does not name its vectors;
// word_vector_size:: adapts to others.)
{
  word_vector_size:: 200,
  word_vectors:: std.extVar('BIOMEDICAL_WORD2VEC'),
}
