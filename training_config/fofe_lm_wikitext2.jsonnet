// The FOFE language model of second order on a part of WikiText-2; the leaves in fofe_lm_wikitext2/ are what it is compared with.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), chapter 4, which has no WikiText-2.
// Differs from it in data, vocabulary, hidden layers of 200, the adaptive softmax and Adam.
import 'fofe_lm_wikitext2/fofe_2.jsonnet'
