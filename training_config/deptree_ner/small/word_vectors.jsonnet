// Dependency-aware NER, small. Its word vectors start from the vectors that fofe_lm.jsonnet learns: `allennlp
// export-vectors` writes them to the file that WORD_VECTORS names; docs/language_model.md has the commands.
// Paper: Aguilar and Solorio (2019); the vectors are from Xu (2017), chapter 4. Differs from deptree_ner.jsonnet only
// in the word vectors.
local file = import '../../lib/word_vectors.libsonnet';
local language_model = import '../../fofe_lm.jsonnet';

(import '../../deptree_ner.jsonnet') {
  word_vector_size:: language_model.word_size,
  word_embedders+:: { tokens+: { pretrained_file: file } },
  vocabulary+: { pretrained_files: { tokens: file }, min_pretrained_embeddings: { tokens: -1 } },
}
