// FOFE-NER for nested entities, named or not, of ten types in English prose, for the zoo: GUM's types, and LitBank's as
// three of them, of the others of which LitBank says nothing. Pronouns are no entities. DATA names the folder of both
// corpora, WORD_VECTORS a file of GloVe's vectors of 100 numbers, of which the 40,000 most frequent words are kept, in 8
// bits.
local types = [
  'abstract', 'animal', 'event', 'object', 'organization', 'person', 'place', 'plant', 'substance', 'time',
];
local pronouns = [
  'I', 'me', 'my', 'mine', 'myself', 'you', 'your', 'yours', 'yourself', 'yourselves', 'he', 'him', 'his', 'himself',
  'she', 'her', 'hers', 'herself', 'it', 'its', 'itself', 'we', 'us', "'s", 'our', 'ours', 'ourselves', 'they', 'them',
  'their', 'theirs', 'themselves', 'this', 'that', 'these', 'those', 'who', 'whom', 'whose', 'which', 'what',
];

(import '../fofe_ner/gum/base.libsonnet') + (import '../fofe_ner/rows.libsonnet').lexical + {
  known_words:: 40000,
  epochs:: 15,
  corpus:: {
    type: 'mixture',
    partial: true,
    parts: {
      gum: {
        corpus: 'conllu',
        files: 'gum/*.conllu.gz',
        labels: { [type]: type for type in types },
        ignored: pronouns,
      },
      litbank: {
        corpus: 'jsonl',
        files: 'litbank/*.jsonl.gz',
        labels: { PER: 'person', ORG: 'organization', FAC: 'place', LOC: 'place', GPE: 'place' },
        ignored: pronouns,
      },
    },
  },
  train_data_path: std.extVar('DATA') + '/train',
  validation_data_path: std.extVar('DATA') + '/dev',
  model+: { features+: { uncased+: { embedder+: { bits: 8 } } } },
}
