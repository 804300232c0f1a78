// Molweni, dialogues with discourse relations: ME-CRF, the loss of links without the attention of posts to themselves.
(import 'base.libsonnet') { exclude_self:: true }
