// GUM: the BiLSTM-CRF of ner.jsonnet with lexical features of words, for only the outermost entities.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
