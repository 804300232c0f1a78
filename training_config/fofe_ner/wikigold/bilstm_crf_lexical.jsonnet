// Wikigold: the BiLSTM-CRF of ner.jsonnet, and the form of words.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
