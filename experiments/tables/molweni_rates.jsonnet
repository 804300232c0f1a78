// A pilot of molweni.jsonnet: the learning rate, by the joint F1 of the validation folds.
// An epoch of a fold takes 4 s of a core: 15 minutes a run at most.
local molweni = import 'molweni.jsonnet';
local of(row, rate) = { config: molweni.config % row, overrides: { 'trainer.optimizer.lr': rate } };

{
  config: molweni.config,
  rows: {
    me_crf_0001: of('me_crf', 0.001),
    me_crf_001: of('me_crf', 0.01),
    exclude_self_0001: of('exclude_self', 0.001),
    exclude_self_001: of('exclude_self', 0.01),
  },
  seeds: 1,
  folds: 5,
  metric: 'joint_f1',
}
