// FOFE-NER on KBP 2015 and 2016, nested entities in three languages: the shared part of the rows of Tables 5.5, 5.6 and
// 5.8.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), sections 5.5.2 and 5.5.3.
// Data: not free. The folder that the environment variable KBP names has <language>/<data>.train.jsonl and
// <language>/<data>.dev.jsonl, in the form of `predict` (docs/data.md), with the task's types of entities; in 2016 a
// nominal mention has its own type, such as PER_NOM.
// kbp2015 has the 168, 147 and 129 training documents of 2015 in English, Chinese and Spanish, tested on the 167, 167
// and 166 evaluation documents of 2015 (Table 5.4). 2016 has 167, 168 and 168 documents, all for evaluation (Table
// 5.7). kbp2015_all has the training and the evaluation documents of 2015; kbp2015_in_house and kbp2015_wikipedia have
// others in addition. The thesis divides each 90:5:5; the last part is for test.
// Word vectors: 128 dimensions, word2vec on Gigaword of the language, in the text files that CASED_WORD_VECTORS and
// UNCASED_WORD_VECTORS name; for Chinese CHARACTER_VECTORS and WORD_VECTORS. Everything else as in ../paper.jsonnet.
// Not given in the thesis: the rates of spans, which are those of the original program for KBP; the development data of
// KBP 2015.
// Thresholds: `nerzoo tune-thresholds` chooses those of an archive on the development data.
local language(name) = (import '../paper.jsonnet') {
  local folder = std.extVar('KBP') + '/' + name + '/',
  training:: 'kbp2015',
  train_data_path: folder + self.training + '.train.jsonl',
  validation_data_path: folder + self.training + '.dev.jsonl',

  corpus:: { type: 'jsonl' },
  word_vector_size:: 128,
  levels:: [{ type: type, merge_adjacent: true } for type in ['longest_first', 'highest_first']],
  metrics_per_depth:: true,
  overlap_rate:: 0.08,
  disjoint_rate:: 0.016,
};

{
  english: language('english'),
  chinese: language('chinese') {
    character_level:: true,
    fofe_characters:: false,
    character_cnn:: false,
    word_vectors:: { character: std.extVar('CHARACTER_VECTORS'), word: import '../../lib/word_vectors.libsonnet' },
  },
  spanish: language('spanish') { hashed_characters:: true },

  // KBP 2016: more training data, 64 epochs with the in-house documents and 256 without, and a gazetteer, lines `TYPE
  // phrase` in the file that GAZETTEER names (for Chinese with spaces between characters).
  of_2016(language, training): self[language] {
    training:: training,
    epochs:: if training == 'kbp2015_in_house' then 64 else 256,
    gazetteer:: std.extVar('GAZETTEER'),
  },
}
