// Molweni, dialogues with discourse relations: MEMNET, acts by a softmax at each post.
(import 'base.libsonnet') { distribution:: 'softmax' }
