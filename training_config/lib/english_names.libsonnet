// Persons, places and organizations in six free corpora of English under one set of labels: the parts of a `mixture`.
local name = { PER: 'PER', LOC: 'LOC', ORG: 'ORG' };
{
  uner_ewt: { corpus: 'conllu', files: 'uner_ewt/*.conllu.gz', labels: name },
  redocred: {
    corpus: 'jsonl',
    files: 'redocred/*.jsonl.gz',
    labels: name,
    // Nationalities, languages and religions, which the other corpora leave out.
    ignored: 'redocred/demonyms.txt',
  },
  // Handles are no names.
  btc: { corpus: 'columns', files: 'btc/*.txt.gz', labels: name, ignored: ['@'], ignored_after: '@' },
  wnut17: {
    corpus: 'columns',
    files: {
      train: 'wnut17/wnut17train.conll',
      dev: 'wnut17/emerging.dev.conll',
      test: 'wnut17/emerging.test.annotated',
    },
    labels: { person: 'PER', location: 'LOC', corporation: 'ORG', group: 'ORG' },
  },
  // It has no split: all of it is training data.
  wikigold: {
    corpus: { type: 'columns', coding_scheme: 'IOB1' },
    files: { train: 'wikigold/wikigold.conll.txt' },
    labels: name,
  },
  sec: {
    corpus: 'columns',
    files: 'sec/*.txt.gz',
    labels: name,
    // Roles in contracts.
    ignored: ['Borrower', 'Lender', 'Bank', 'Remarketing Agent', 'Paying Agent'],
  },
}
