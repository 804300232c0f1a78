// The corpora of the paper's Table 1. Each is in a folder that its own environment variable names. None is free. PARSER
// names the spaCy pipeline that finds the trees of corpora without them.
{
  // English, en.train.txt and en.devel.txt; gold trees.
  semeval2010: {
    local data = std.extVar('SEMEVAL2010'),
    corpus:: { type: 'semeval2010' },
    train_data_path: data + '/en.train.txt',
    validation_data_path: data + '/en.devel.txt',
  },
  // English (Reuters), eng.train and eng.testa; parts of speech, but no trees.
  conll2003: without_trees {
    local data = std.extVar('CONLL2003'),
    corpus:: { type: 'columns', pos_column: 1, coding_scheme: 'IOB1' },
    train_data_path: data + '/eng.train',
    validation_data_path: data + '/eng.testa',
  },
  // English, *_conll files in or below train/ and development/; parts of speech and constituents, no dependency trees.
  conll2012: ontonotes(std.extVar('CONLL2012')),
  // The same for the broadcast news. Users divide it themselves, because the paper does not say how.
  ontonotes_bn: ontonotes(std.extVar('ONTONOTES_BN')),
  // Both with trees that are converted from the constituents, as in the first column of the paper's Table 5. The rules
  // are those of Collins (1999), without names of relations; the paper does not name its converter.
  conll2012_converted: self.conll2012 + converted,
  ontonotes_bn_converted: self.ontonotes_bn + converted,

  local without_trees = {
    local config = self,
    parser:: { pipeline: std.extVar('PARSER') },
    dataset_reader+: { predicted_trees: config.reads_trees },
  },
  local converted = { corpus+:: { trees: true }, parser:: null, dataset_reader+: { predicted_trees: false } },
  local ontonotes(folder) = without_trees {
    corpus:: { type: 'ontonotes' },
    train_data_path: folder + '/train',
    validation_data_path: folder + '/development',
  },
}
