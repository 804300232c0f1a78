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

local encoded = { row: 'encoded', evaluation: 'test_tuned', page: 'fofe_nested' };

claim('Trees help: BiLSTM, Tree-LSTM and both attentions above a BiLSTM', 0.2, 'full', 'bilstm_as_large', [
  { table: 'uner_ewt', data: 'UNER-EWT, gold trees', page: 'deptree_ner' },
  { table: 'uner_ewt', data: 'UNER-EWT, predicted trees', page: 'deptree_ner', evaluation: 'predicted_trees' },
  { table: 'uner_pt', data: 'Portuguese, gold trees', page: 'deptree_ner' },
  { table: 'uner_sk', data: 'Slovak, gold trees', page: 'deptree_ner' },
  minilm { data: 'UNER-EWT over MiniLM, gold trees' },
  minilm { data: 'UNER-EWT over MiniLM, predicted trees', evaluation: 'predicted_trees' },
]) +
claim('A memory of the document helps: one hop above a BiLSTM-CRF', 0.7, 'hops_1', 'bilstm_crf', [
  { table: 'memory_wikigold', data: 'Wikigold', page: 'memory_ner' },
  { table: 'memory_gum', data: 'GUM', page: 'memory_ner' },
  { table: 'memory_redocred', data: 'Re-DocRED', page: 'memory_ner' },
  { table: 'memory_litbank', data: 'LitBank', page: 'memory_ner' },
]) +
claim('Frozen transitions help threads: ME-CRF+ above ME-CRF', 0.3, 'me_crf_plus', 'me_crf', [
  { table: 'molweni', data: 'Molweni, joint F1', page: 'thread_structure' },
]) +
claim('Local detection is level with tagging', 0, 'nested', 'bilstm_crf', [
  { table: 'fofe_gum', data: 'GUM, nested', page: 'fofe_nested' },
  encoded { table: 'fofe_gum', data: 'GUM, nested, over the outputs of a BiLSTM, thresholds tuned' },
  encoded {
    table: 'fofe_litbank',
    reference: 'bilstm_crf_lexical',
    data: 'LitBank, nested, over the outputs of a BiLSTM, thresholds tuned',
  },
  { table: 'fofe_genia', data: 'GENIA, nested', page: 'fofe_nested' },
  { table: 'fofe_germeval', data: 'GermEval, nested', page: 'fofe_nested' },
  { table: 'fofe_wnut17', row: 'all', data: 'WNUT-17', page: 'fofe_ner' },
  {
    table: 'fofe_wnut17',
    row: 'encoded',
    reference: 'bilstm_crf_lexical',
    data: 'WNUT-17, over the outputs of a BiLSTM',
    page: 'fofe_ner',
  },
  {
    table: 'fofe_wikigold',
    row: 'encoded',
    reference: 'bilstm_crf_lexical',
    data: 'Wikigold, over the outputs of a BiLSTM',
    page: 'fofe_ner',
  },
]) +
claim('FOFE is ahead of an LSTM in language models', 8, 'fofe_2-4e-5', 'lstm-4e-5', [
  { table: 'wikitext2', data: 'WikiText-2, perplexity', page: 'fofe_lm' },
]) +
claim('A gate between word and characters is above concatenation', 0.05, 'attention', 'concat', [
  { table: 'char_bc2gm', data: 'BC2GM', page: 'char_attention' },
  { table: 'char_ewt', data: 'English Web Treebank', page: 'char_attention' },
  { table: 'char_genia', data: 'GENIA, parts of speech', page: 'char_attention' },
  {
    table: 'char_wnut17_tuned',
    row: 'tuned',
    reference: 'tuned_concat',
    data: 'WNUT-17, tuned vectors',
    page: 'char_attention',
  },
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
])
