// Molweni, dialogues with discourse relations: ME-CRF, with a link loss without the attention of posts to themselves,
// and with fixed word vectors.
(import 'exclude_self.jsonnet') + (import '../vectors.libsonnet')
