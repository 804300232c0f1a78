// Error detection: the FCE, one word and c or i per line, in the folder that the environment variable FCE names.
// Published test F0.5: 41.88 (concat 41.27, word 41.24).
(import '../paper.jsonnet') {
  task:: 'error_detection',
  corpus:: { type: 'columns', coding_scheme: null },
  train_data_path: std.extVar('FCE') + '/fce-public.train.original.tsv',
  validation_data_path: std.extVar('FCE') + '/fce-public.dev.original.tsv',
}
