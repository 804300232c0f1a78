// Word vectors, from a file or learned, and a CNN over characters, for systems that do not define their word
// embeddings.
local words = if std.extVar('WORD_VECTORS') == '' then import '../lib/learned_words.libsonnet' else import '../lib/fixed_vectors.libsonnet';

words {
  word_vector_size:: $.vector_size,
  character_filters:: 50,
  character_size:: 30,
  word_min_count:: 4,
}
