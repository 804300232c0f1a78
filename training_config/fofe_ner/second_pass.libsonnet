// The second pass of FOFE-NER (Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications", 2017, section 5.4):
// a function of the configuration of the first pass and of the folder that `nerzoo cross-predict` wrote with it, by
// default the folder that the environment variable FIRST_PASS names. Data, sizes and training are those of the first
// pass.
// As in the original program, contexts do not include the span, unless context_including is set, and the first pass has
// a weight of 0.6; the thesis does not say so.
function(first_pass, folder=std.extVar('FIRST_PASS'), context_including=false)
  local words = std.objectFields(first_pass.codes);

  first_pass {
    codes:: {
      [name]: (if context_including then ['context_including'] else []) + ['context_excluding', 'bag_of_words']
      for name in words
    },
    dataset_reader+: { first_pass: folder + '/predictions.jsonl' },
    // Outside training, the model itself finds the entities of the first pass.
    validation_dataset_reader: first_pass.dataset_reader,
    model+: {
      type: 'fofe_ner_second_pass',
      first_pass: first_pass.model,
      pretrained_file: folder + '/model/model.tar.gz',
      features+: { [name]: super[name] { type: 'fofe_substituted_words' } for name in words },
    },
  }
