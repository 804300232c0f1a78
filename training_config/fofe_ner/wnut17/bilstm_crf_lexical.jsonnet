// WNUT-17: the BiLSTM-CRF of ner.jsonnet with lexical features of words.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
