// The words of a configuration by the option words: its own vectors, those of a transformer such as BERT, or both.
// TRANSFORMER names the folder of the transformer, or a model of the hub, which is downloaded. TRANSFORMER_SIZE is the
// size of its vectors, by default that of the folder, or 768. Added behind a configuration with word_size::,
// word_indexers:: and word_embedders::.
{
  words:: 'vectors',  // vectors, those of the configuration; transformer, a transformer's in their place; or both
  transformer_size:: std.parseInt(std.extVar('TRANSFORMER_SIZE')),  // the size of the transformer's vectors
  pooling:: 'first',  // the vector of a word: that of its first piece, or the mean of all of them
  transformer_layers:: if self.tune_transformer then 'last' else 'mix',  // the last layer, or a learned mix of all
  tune_transformer:: false,  // whether the transformer is tuned, by AdamW, with all other parameters
  transformer_rate:: 5e-5,  // the highest learning rate of a tuned transformer
  layer_decay:: 1,  // the rate of each layer of a tuned transformer, as a part of the rate of the layer above it
  other_rate:: 1e-3,  // the highest learning rate of all other parameters, if a transformer is tuned
  lora_rank:: null,  // the rank of trained updates of the linear layers of a tuned transformer, in place of all weights
  checkpointing:: false,  // whether a tuned transformer takes less memory and more time

  assert std.member(['vectors', 'transformer', 'both'], self.words)
         : 'words must be vectors, transformer or both; found ' + self.words,
  assert $.words == 'vectors' || std.extVar('TRANSFORMER') != ''
         : 'words is ' + self.words + ', which needs the variable TRANSFORMER: a folder, or a model of the hub',
  assert $.words != 'vectors' || !$.tune_transformer
         : 'tune_transformer is true and words is vectors: expected words to be transformer or both',
  assert $.tune_transformer || ($.layer_decay == 1 && $.lora_rank == null && !$.checkpointing)
         : 'found layer_decay, lora_rank or checkpointing without tune_transformer: expected it to be true',
  local chosen(own, others) = { vectors: own, transformer: others, both: own + others }[$.words],
  local name = std.extVar('TRANSFORMER'),
  local tuned = 'transformer[.]((word_embedding|embedder)[.])?encoder[.]',
  local undecayed = '(bias$|[nN]orm)',
  local rate = { lr: $.transformer_rate, [if $.layer_decay != 1 then 'layer_decay']: $.layer_decay },

  word_size:: chosen(super.word_size, $.transformer_size),
  word_indexers:: chosen(super.word_indexers, { transformer: { type: 'transformer', model_name: name } }),
  word_embedders:: chosen(super.word_embedders, {
    transformer: {
      type: 'transformer',
      pretrained_file: name,
      pooling: $.pooling,
      layers: $.transformer_layers,
      train_parameters: $.tune_transformer,
      [if $.lora_rank != null then 'lora_rank']: $.lora_rank,
      gradient_checkpointing: $.checkpointing,
    },
  }),
  // The pieces of words are those of the transformer.
  vocabulary: if $.words == 'transformer' || !('vocabulary' in super) then {} else super.vocabulary,
  // The rates rise in the first tenth of the training, and then fall. No weight decays that is a bias or of a
  // normalisation.
  trainer+: if !$.tune_transformer then {} else {
    optimizer: {
      type: 'fused_adam',
      decoupled_weight_decay: true,
      lr: $.other_rate,
      weight_decay: 0.01,
      parameter_groups: [
        [[tuned + '(?!.*' + undecayed + ')'], rate],
        [[tuned + '.*' + undecayed], rate { weight_decay: 0.0 }],
        [['^(?!.*' + tuned + ').*' + undecayed], { weight_decay: 0.0 }],
      ],
    },
    learning_rate_scheduler: { type: 'slanted_triangular', cut_frac: 0.1 },
    grad_norm: 1.0,
  },
}
