// Word vectors from a transformer such as BERT, frozen; learned weights mix its layers. TRANSFORMER names its folder, or
// a model of the hub, which is downloaded.
{
  transformer_size:: error 'transformer_size::, the hidden size of the transformer, is missing',
  pooling:: 'first',  // the vector of a word: that of its first piece, or the mean of all of them
  transformer_layers:: 'mix',  // a learned mix of all layers, or the last one
  tune_transformer:: false,  // whether the transformer is tuned; its optimiser is that of tuned_transformer.libsonnet
  lora_rank:: null,  // the rank of trained updates of the linear layers of a tuned transformer, in place of all weights
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
      [if $.lora_rank != null then 'lora_rank']: $.lora_rank,
      gradient_checkpointing: $.checkpointing,
    },
  },
  vocabulary: {},  // the pieces of words are those of the transformer
}
