// FOFE-NER with the thesis's settings. The files in paper/ are the rows of its Tables 5.1 and 5.3, the rows of KBP, and
// a difference of the original program, the forgetting factor of characters.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 5.5.1.
// Data: CoNLL-2003, English (Reuters), eng.train and eng.testa in the folder that the environment variable CONLL2003
// names.
// Word vectors: 256 dimensions, word2vec on RCV1, in the text files that CASED_WORD_VECTORS and UNCASED_WORD_VECTORS
// name, tuned with the task. The vocabulary is their first 100,000 words, independent of the corpus. All other words
// are unknown: one unknown word with a capital letter and one without, each with a normally distributed random vector.
// The forgetting factor is 0.5, also for characters (footnote 6); paper/original_program.jsonnet has its 0.8.
// Differs from the thesis in batches: 32 sentences, which have about 512 spans; the thesis has 512 spans.
// Not given in the thesis: momentum 0.9 for the layers; no momentum and lower rates for vectors, as in the original
// program.
// Expected: test F1 90.71 (Table 5.1); not measured here, because the data is not free.
local data = std.extVar('CONLL2003');

(import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  word_vectors:: { cased: std.extVar('CASED_WORD_VECTORS'), uncased: std.extVar('UNCASED_WORD_VECTORS') },
  cased_unknown:: true,
  known_words:: 100000,
  corpus_words:: false,
  corpus:: { type: 'columns', coding_scheme: 'IOB1' },
  train_data_path: data + '/eng.train',
  validation_data_path: data + '/eng.testa',
}
