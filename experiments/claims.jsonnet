// The main claim of each paper, and the rows that decide it: docs/results/README.md. `claimed` is the least difference
// that the paper reports, in points; 0 for a claim that both are level.
local claim(text, claimed, row, reference, tables) =
  [{ claim: text, claimed: claimed, row: row, reference: reference } + table for table in tables];

local minilm = {
  table: 'uner_ewt_minilm',
  row: 'minilm_full',
  reference: 'minilm_plain_bilstm',
  page: 'deptree_ner',
};

// FOFE-NER has tuned thresholds, except for folds. A tagger finds only the outermost of nested entities.
local fofe = { evaluation: 'test_tuned' };
local nested(corpus) = fofe {
  data: corpus + ', over all entities; the tagger finds the outermost ones only',
  page: 'fofe_nested',
};
local encoded = { row: 'encoded', reference: 'bilstm_crf_lexical' };

local names = {
  table: 'uner_seq2biseq_rates',
  row: 'last_characters_glove-0.002',
  data: "UNER-EWT, names, last states of characters, GloVe's vectors, best of three rates",
  page: 'learning_rates',
};

claim('Trees help: BiLSTM, Tree-LSTM and both attentions above a BiLSTM', 0.2, 'full', 'bilstm_as_large', [
  { table: 'uner_ewt', data: 'UNER-EWT, gold trees', page: 'deptree_ner' },
  { table: 'uner_ewt', data: 'UNER-EWT, predicted trees', page: 'deptree_ner', evaluation: 'predicted_trees' },
  { table: 'uner_pt', data: 'Portuguese, gold trees', page: 'deptree_ner_languages' },
  { table: 'uner_sk', data: 'Slovak, gold trees', page: 'deptree_ner_languages' },
  minilm { data: 'UNER-EWT over MiniLM, gold trees' },
  minilm { data: 'UNER-EWT over MiniLM, predicted trees', evaluation: 'predicted_trees' },
]) +
claim('A memory of the document helps: one hop above a BiLSTM-CRF', 0.7, 'hops_1', 'bilstm_crf', [
  { table: 'memory_wikigold', data: 'Wikigold', page: 'memory_ner' },
  { table: 'memory_gum', data: 'GUM', page: 'memory_ner' },
  { table: 'memory_redocred', data: 'Re-DocRED', page: 'memory_ner' },
  { table: 'memory_litbank', data: 'LitBank', page: 'memory_ner' },
]) +
claim('A memory helps threads: ME-CRF above one CRF on features for links and acts', 4.4, 'me_crf', 'joint_crf', [
  { table: 'molweni', data: 'Molweni, joint F1', page: 'thread_structure' },
  { table: 'irc', data: 'IRC, link F1', page: 'thread_structure' },
]) +
claim('Frozen transitions help threads: ME-CRF+ above ME-CRF', 0.3, 'me_crf_plus', 'me_crf', [
  { table: 'molweni', data: 'Molweni, joint F1', page: 'thread_structure' },
]) +
claim('Local detection is level with tagging', 0, 'nested', 'bilstm_crf', [
  nested('GUM') { table: 'fofe_gum' },
  // Without lexical features, which encoded has: bilstm_crf_lexical is not trained yet.
  nested('GUM, FOFE-NER over a BiLSTM') { table: 'fofe_gum', row: 'encoded' },
  nested('LitBank, FOFE-NER over a BiLSTM') + encoded { table: 'fofe_litbank' },
  nested('GENIA') { table: 'fofe_genia' },
  nested('GermEval') { table: 'fofe_germeval' },
  fofe { table: 'fofe_wnut17', row: 'all', data: 'WNUT-17', page: 'fofe_ner' },
  fofe + encoded { table: 'fofe_wnut17', data: 'WNUT-17, FOFE-NER over a BiLSTM', page: 'fofe_ner' },
  encoded { table: 'fofe_wikigold', data: 'Wikigold, FOFE-NER over a BiLSTM', page: 'fofe_ner' },
  fofe { table: 'fofe_redocred', row: 'all', data: 'Re-DocRED', page: 'fofe_ner' },
  fofe + encoded { table: 'fofe_redocred', data: 'Re-DocRED, FOFE-NER over a BiLSTM', page: 'fofe_ner' },
]) +
claim('FOFE is ahead of an LSTM in language models', 8, 'fofe_2-4e-5', 'lstm-4e-5', [
  { table: 'wikitext2', data: 'WikiText-2, perplexity', page: 'fofe_lm' },
]) +
claim('A gate between word and characters is above concatenation', 0.05, 'attention', 'concat', [
  { table: 'char_bc2gm', data: 'BC2GM', page: 'char_attention' },
  { table: 'char_ewt', data: 'English Web Treebank', page: 'char_attention' },
  { table: 'char_genia', data: 'GENIA, parts of speech', page: 'char_attention' },
  { table: 'char_ncbi_disease', data: 'NCBI-disease', page: 'char_attention_biomedical' },
  { table: 'char_bc5cdr', data: 'BC5CDR', page: 'char_attention_biomedical' },
  { table: 'char_anatem', data: 'AnatEM', page: 'char_attention_biomedical' },
  { table: 'char_craft', data: 'CRAFT', page: 'char_attention_biomedical' },
  {
    table: 'char_wnut17_tuned',
    row: 'tuned',
    reference: 'tuned_concat',
    data: 'WNUT-17, tuned vectors',
    page: 'char_attention',
  },
]) +
// The paper compares with an LD-RNN, which reads the labels to the left alone.
claim('Two decoders are above one', 0.19, 'seq2biseq_le', 'forward_only', [
  { table: 'snips', data: 'SNIPS', page: 'seq2biseq' },
  { table: 'ewt_seq2biseq', data: 'English Web Treebank', page: 'seq2biseq' },
  names { reference: 'forward_only_last_characters_glove-0.002' },
]) +
claim('Two decoders are above a CRF', 0.07, 'seq2biseq_le', 'bigru_crf', [
  { table: 'snips', data: 'SNIPS', page: 'seq2biseq' },
  {
    table: 'snips',
    row: 'last_characters_glove',
    reference: 'bigru_crf_last_characters_glove',
    data: "SNIPS, last states of characters, GloVe's vectors",
    page: 'seq2biseq',
  },
  { table: 'ewt_seq2biseq', data: 'English Web Treebank', page: 'seq2biseq' },
  {
    table: 'ewt_seq2biseq',
    row: 'last_characters',
    reference: 'bigru_crf_last_characters',
    data: 'English Web Treebank, last states of characters',
    page: 'seq2biseq',
  },
  {
    table: 'ewt_seq2biseq',
    row: 'last_characters_minilm',
    reference: 'bigru_crf_last_characters_minilm',
    data: 'English Web Treebank, the same with MiniLM',
    page: 'seq2biseq',
  },
  names { reference: 'bigru_crf_last_characters_glove-0.002' },
])
