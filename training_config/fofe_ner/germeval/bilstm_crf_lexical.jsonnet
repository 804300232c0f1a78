// GermEval 2014: the BiLSTM-CRF of ner.jsonnet, and the form of words; the outermost entities alone. WORD_VECTORS is to be
// empty, so that vectors are learned.
(import 'bilstm_crf.jsonnet') { lexical_features:: true }
