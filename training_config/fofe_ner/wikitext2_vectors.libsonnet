// FOFE-NER on free data with vectors of WikiText-2 for words as written and in lower case, in the files that the environment
// variables WORD_VECTORS_CASED and WORD_VECTORS name; those of all words that have one, tuned with the task.
local files = { cased: std.extVar('WORD_VECTORS_CASED'), uncased: import '../lib/word_vectors.libsonnet' };

(import 'free_data.libsonnet') {
  local config = self,
  word_size:: 50,
  word_vectors:: { [name]: files[name] for name in std.objectFields(config.codes) },
  vocabulary: {
    pretrained_files: config.word_vectors,
    min_pretrained_embeddings: { [name]: -1 for name in std.objectFields(config.codes) },
    only_include_pretrained_words: true,
    oov_token: '<unk>',
  },
}
