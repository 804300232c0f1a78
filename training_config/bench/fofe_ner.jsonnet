// Any corpus: FOFE-NER with lexical features of words (our addition), with its settings for WNUT-17.
local fofe_ner = if std.extVar('WORD_VECTORS') == '' then import '../fofe_ner/free_data.libsonnet' else import '../fofe_ner/glove.libsonnet';

fofe_ner + (import '../fofe_ner/rows.libsonnet').lexical + (import 'base.libsonnet') {
  full_epochs:: 30,
  word_size:: $.vector_size,
}
