// The file of word vectors that the environment variable WORD_VECTORS names.
local file = std.extVar('WORD_VECTORS');

if file == '' then error 'WORD_VECTORS is empty; expected a file of word vectors' else file
