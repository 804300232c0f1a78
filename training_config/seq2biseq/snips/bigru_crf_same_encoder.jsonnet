// SNIPS: the baseline, a CRF in place of the decoders of seq2biseq_le.jsonnet, on an encoder of the same size.
// Measured: not trained.
(import '../free_data.libsonnet').snips { variant:: 'bigru_crf', crf_hidden_size:: self.hidden_size }
