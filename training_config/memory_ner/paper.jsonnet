// Document NER with the paper's settings; paper/ has the neural rows of its Table 2, and others.
// Paper: Liu, Baldwin and Cohn, "Capturing Long-range Contextual Dependencies with Memory-enhanced Conditional Random
// Fields" (2017), section 5.
// Data: CoNLL-2003, English (Reuters), eng.train and eng.testa in the folder that the environment variable CONLL2003
// names.
// Word vectors: SENNA's, 50 dimensions, fixed, in the one file that WORD_VECTORS names: paste -d ' ' words.lst
// embeddings.txt
// Differs from the paper in batches: two documents, which have about 30 sentences; the paper has 32 sentences.
// The CRF decodes only well-formed tags, which the paper does not mention; constrain_decoding: false decodes any tags.
// Not given in the paper: the learning rate, which is 0.01 as in the authors' program; the norm of all gradients, which
// is clipped to 5 (the program clips each gradient); the patience, which is 10.
// Expected: test F1 89.5 (Table 2); not measured here, because the data is not free.
local fixed_words = import '../lib/fixed_words.libsonnet';
local memory_ner = import 'base.libsonnet';
local seed = import '../lib/seed.libsonnet';
local data = std.extVar('CONLL2003');

memory_ner + fixed_words + seed {
  corpus:: { type: 'columns', coding_scheme: 'IOB1' },
  word_vector_size:: 50,
  unknown_word:: 'UNKNOWN',
  train_data_path: data + '/eng.train',
  validation_data_path: data + '/eng.testa',
}
