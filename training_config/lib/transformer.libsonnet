// Word vectors from a transformer such as BERT, frozen; learned weights mix its layers. TRANSFORMER names its folder, or
// a model of the hub, which is downloaded.
{
  transformer_size:: error 'transformer_size::, the hidden size of the transformer, is missing',
  pooling:: 'first',  // the vector of a word: that of its first piece, or the mean of all of them
  transformer_layers:: 'mix',  // a learned mix of all layers, or the last one
  tune_transformer:: false,  // whether the transformer is tuned; its optimiser is that of tuned_transformer.libsonnet
  checkpointing:: false,  // whether a tuned transformer takes less memory and more time

  local name = std.extVar('TRANSFORMER'),
  word_size:: self.transformer_size,
  word_indexers:: { transformer: { type: 'transformer', model_name: name } },
  word_embedders:: {
    transformer: {
      type: 'transformer',
      pretrained_file: name,
      pooling: $.pooling,
      layers: $.transformer_layers,
      train_parameters: $.tune_transformer,
      gradient_checkpointing: $.checkpointing,
    },
  },
  vocabulary: {},  // the pieces of words are those of the transformer
}
