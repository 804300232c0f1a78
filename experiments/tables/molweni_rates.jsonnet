// A pilot of molweni.jsonnet: the learning rate, by the joint F1 of the validation folds.
// An epoch of a fold takes 4 s of a core: 15 minutes a run at most.
local molweni = import 'molweni.jsonnet';

(import '../rates_table.libsonnet')(
  { [row]: { config: molweni.config % row } for row in ['me_crf', 'exclude_self'] }, [0.001, 0.01]
) {
  folds: 5,
  metric: 'joint_f1',
}
