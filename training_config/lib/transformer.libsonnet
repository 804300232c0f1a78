// Word vectors from a transformer, fine-tuned, a word's vector being the mean of its pieces'. TRANSFORMER names it.
{
  local name = std.extVar('TRANSFORMER'),

  word_size:: error 'word_size::, the hidden size of the transformer, is missing',
  word_indexers:: { tokens: { type: 'pretrained_transformer_mismatched', model_name: name } },
  word_embedders:: { tokens: { type: 'pretrained_transformer_mismatched', model_name: name } },
}
