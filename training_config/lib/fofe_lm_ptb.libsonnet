// The language models of Table 4.1 on the Penn Treebank (section 4.2.1); fofe_lm_ptb.jsonnet says what is the thesis's.
local data = std.extVar('PTB');

(import 'fofe_lm.libsonnet') {
  train_data_path: data + '/ptb.train.txt',
  validation_data_path: data + '/ptb.valid.txt',
  test_data_path: data + '/ptb.test.txt',
  evaluate_on_test: true,
}
