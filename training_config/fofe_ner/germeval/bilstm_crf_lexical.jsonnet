// GermEval 2014: the BiLSTM-CRF of ner.jsonnet with lexical features of words, for only the outermost entities. Leave
// WORD_VECTORS empty, so that vectors are learned.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
