// GUM: the BiLSTM-CRF of ner.jsonnet, and the form of words; the outermost entities alone.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
