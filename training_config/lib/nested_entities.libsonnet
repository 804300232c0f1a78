// Nested entities, named or not, of English prose: the parts of a partial `mixture`, GUM with ten types, LitBank with
// three of them. Pronouns are no entities.
local types = [
  'abstract', 'animal', 'event', 'object', 'organization', 'person', 'place', 'plant', 'substance', 'time',
];
local pronouns = [
  'I', 'me', 'my', 'mine', 'myself', 'you', 'your', 'yours', 'yourself', 'yourselves', 'he', 'him', 'his', 'himself',
  'she', 'her', 'hers', 'herself', 'it', 'its', 'itself', 'we', 'us', "'s", 'our', 'ours', 'ourselves', 'they', 'them',
  'their', 'theirs', 'themselves', 'this', 'that', 'these', 'those', 'who', 'whom', 'whose', 'which', 'what',
];

{
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
}
