// Free corpora below the folder that the environment variable DATA names: the paths of their parts, and their format if
// all configurations read it in the same way.
local parts(train, validation) = {
  local folder = std.extVar('DATA') + '/',
  train_data_path: folder + train,
  validation_data_path: folder + validation,
};

{
  anatem: parts('anatem/train.txt.gz', 'anatem/dev.txt.gz') { corpus:: { type: 'columns' } },
  bc5cdr: parts('bc5cdr/train.txt.gz', 'bc5cdr/dev.txt.gz') { corpus:: { type: 'columns' } },
  bc2gm: parts('bc2gm/train.tsv.gz', 'bc2gm/devel.tsv.gz') { corpus:: { type: 'columns' } },
  craft: parts('craft/train.txt.gz', 'craft/dev.txt.gz') { corpus:: { type: 'columns' } },
  falko_merlin_german: parts(
    'error_detection/de_falko-merlin_train.tsv.gz', 'error_detection/de_falko-merlin_dev.tsv.gz'
  ) { corpus:: { type: 'columns', coding_scheme: null } },
  // Entities: training has the first 90 % of the articles, whose last tenth is the development data; the other 10 % are
  // test data.
  genia: parts('genia/GENIAcorpus3.02.xml.gz', 'genia/GENIAcorpus3.02.xml.gz') {
    corpus:: { type: 'genia', share: [0.0, 0.81] },
    validation_dataset_reader: self.dataset_reader { corpus: { type: 'genia', share: [0.81, 0.9] } },
  },
  genia_pos: parts('genia/genia-pos.train.tsv.gz', 'genia/genia-pos.devel.tsv.gz') {
    corpus:: { type: 'columns', pos_column: 1, coding_scheme: null },
  },
  germeval: parts('germeval2014/germ.train.iob2.gz', 'germeval2014/germ.dev.iob2.gz') {
    // Two pairs of entities cross in the test data.
    corpus:: { type: 'columns', tag_column: [1, 2], allow_crossing: true },
  },
  // All entities, or only entities with a proper name as their head.
  gum: parts('gum/train.conllu.gz', 'gum/dev.conllu.gz') { corpus:: { type: 'conllu' } },
  gum_proper_names: self.gum { corpus+:: { proper_names: true } },
  // Only reply links, between messages in a chat.
  irc: parts(
    'irc_disentanglement/ubuntu-ascii-annotation.tar.gz!data/train',
    'irc_disentanglement/ubuntu-ascii-annotation.tar.gz!data/dev'
  ) { corpus:: { type: 'irc', max_posts: 100, context: 100 } },
  // Chapters of novels with nested entities, also entities with a common noun as their head.
  litbank: parts('litbank/train.jsonl.gz', 'litbank/dev.jsonl.gz') { corpus:: { type: 'jsonl' } },
  merlin_italian: parts('error_detection/it_merlin_train.tsv.gz', 'error_detection/it_merlin_dev.tsv') {
    corpus:: { type: 'columns', coding_scheme: null, separator: '\t' },  // one word has a space
  },
  // For `cross-validate`: no split, but groups of dialogues that share utterances.
  molweni: {
    corpus:: { type: 'molweni', group_shared_posts: true },
    train_data_path: std.extVar('DATA') + '/molweni/DP',
  },
  ncbi_disease: parts('ncbi_disease/train.txt.gz', 'ncbi_disease/dev.txt.gz') { corpus:: { type: 'columns' } },
  // Several corpora with one set of labels; partial: each says nothing of the types of others.
  mixture(corpora): parts('train', 'dev') { corpus:: { type: 'mixture', parts: corpora } },
  partial_mixture(corpora): self.mixture(corpora) { corpus+:: { partial: true } },
  redocred: parts('redocred/train.jsonl.gz', 'redocred/dev.jsonl.gz') { corpus:: { type: 'jsonl' } },
  snips: parts('snips/goo2018/train', 'snips/goo2018/valid') { corpus:: { type: 'slot_filling' } },
  ud_english_ewt: parts('ud_english_ewt/en_ewt-ud-train.conllu.gz', 'ud_english_ewt/en_ewt-ud-dev.conllu.gz') {
    corpus:: { type: 'conllu' },
  },
  uner_ewt: parts('uner_ewt/train.conllu.gz', 'uner_ewt/dev.conllu.gz') { corpus:: { type: 'conllu' } },
  uner_pt: parts('uner_other/pt/train.conllu.gz', 'uner_other/pt/dev.conllu.gz') { corpus:: { type: 'conllu' } },
  uner_sk: parts('uner_other/sk/train.conllu.gz', 'uner_other/sk/dev.conllu.gz') { corpus:: { type: 'conllu' } },
  // For `cross-validate`, which also makes the validation data: no split.
  wikigold: {
    corpus:: { type: 'columns', coding_scheme: 'IOB1' },
    train_data_path: std.extVar('DATA') + '/wikigold/wikigold.conll.txt',
    validation_data_path:: null,
  },
  wikitext2: parts('wikitext2/wiki.train.tokens.gz', 'wikitext2/wiki.valid.tokens.gz') {
    test_data_path: std.extVar('DATA') + '/wikitext2/wiki.test.tokens.gz',
  },
  wnut17: parts('wnut17/wnut17train.conll', 'wnut17/emerging.dev.conll') { corpus:: { type: 'columns' } },
}
