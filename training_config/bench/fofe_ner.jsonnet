// Any corpus: FOFE-NER with lexical features of words (our addition), with its settings for WNUT-17.
local free_data = import '../fofe_ner/free_data.libsonnet';
local fofe_ner = if std.extVar('WORD_VECTORS') == '' then free_data.learned else free_data.glove;

fofe_ner + (import '../fofe_ner/rows.libsonnet').lexical + (import 'base.libsonnet') {
  full_epochs:: 30,
  word_vector_size:: $.vector_size,
}
