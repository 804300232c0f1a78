// Attending to characters on WNUT-17, entities in tweets and comments: docs/results/char_attention.md.
// An epoch takes 27 s of a core, with words alone 7: 13 minutes a run, and 4. With tuned vectors the gate is compared
// with concatenation and with words alone; other rows have one seed.
local compared = ['tuned', 'tuned_concat', 'tuned_word'];
{
  config: 'training_config/char_attention/wnut17/%s.jsonnet',
  rows: { [row]: if std.member(compared, row) then {} else { seeds: 1 } for row in self.order },
  order: [
    'word', 'concat', 'attention', 'no_auxiliary', 'scalar_gate', 'word_gate', 'scalar_word_gate',
    'tuned', 'tuned_concat', 'tuned_word', 'softmax',
  ],
  seeds: 5,
  environment: { WORD_VECTORS: 'output/glove.corpora.txt' },
  evaluations: { test: { data: 'wnut17/emerging.test.annotated' } },
  metric: 'f1',
  reference: 'attention',
}
