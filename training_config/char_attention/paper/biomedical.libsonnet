// The paper's settings on biomedical text: word2vec's vectors of PubMed and PMC, 200 dimensions, as text, in the file that the
// environment variable BIOMEDICAL_WORD2VEC names. (The summary of the paper that this was written from does not name them;
// word_size:: fits others.)
(import '../paper.jsonnet') {
  word_size:: 200,
  word_vectors:: std.extVar('BIOMEDICAL_WORD2VEC'),
}
