// Molweni, dialogues with discourse relations: ME-CRF, the loss of links without the attention of posts to themselves,
// with fixed word vectors.
(import 'exclude_self.jsonnet') + (import '../vectors.libsonnet')
