// Word vectors from a transformer, fine-tuned. The vector of a word is the mean of its pieces. TRANSFORMER names the
// transformer.
{
  local name = std.extVar('TRANSFORMER'),

  word_size:: error 'word_size::, the hidden size of the transformer, is missing',
  word_indexers:: { tokens: { type: 'pretrained_transformer_mismatched', model_name: name } },
  word_embedders:: { tokens: { type: 'pretrained_transformer_mismatched', model_name: name } },
}
