// Molweni, dialogues with discourse relations: ME-CRF, with a link loss without the attention of posts to themselves.
(import 'base.libsonnet') { exclude_self:: true }
