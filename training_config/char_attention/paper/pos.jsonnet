// Parts of speech: the Wall Street Journal (LDC), one word and its tag per line, in the folder that the environment
// variable WSJ names. Published test accuracy: 97.27 (concat 97.22, word 96.42).
(import '../paper.jsonnet') {
  task:: 'pos',
  corpus:: { type: 'columns', pos_column: 1, coding_scheme: null },
  train_data_path: std.extVar('WSJ') + '/train.txt',
  validation_data_path: std.extVar('WSJ') + '/dev.txt',
}
