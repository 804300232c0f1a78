// Persons, places and organizations in the eight languages of Universal NER: the parts of a `mixture`. Chinese is read
// character by character, as raw text of it is.
local names = { PER: 'PER', LOC: 'LOC', ORG: 'ORG' };
local columns(folder) = { corpus: 'columns', files: 'uner_other/%s/*.txt.gz' % folder, labels: names };
local trees(folder) = { corpus: 'conllu', files: folder + '/*.conllu.gz', labels: names };

{
  uner_ewt: trees('uner_ewt'),
  uner_hr: columns('hr'),
  uner_da: columns('da'),
  uner_pt: trees('uner_other/pt'),
  uner_sr: columns('sr'),
  uner_sk: trees('uner_other/sk'),
  uner_sv: columns('sv'),
  uner_zh: columns('zh') { characters: true },
}
