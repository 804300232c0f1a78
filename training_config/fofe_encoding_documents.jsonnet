// The same over whole documents: contexts reach back to the first word of the document, and forward to its last.
(import 'fofe_encoding.jsonnet') {
  dataset_reader+: { type: 'tagged_documents' },
  data_loader+: { batch_sampler+: { batch_size: 2 } },
  model+: { type: 'memory_tagger' },
}
