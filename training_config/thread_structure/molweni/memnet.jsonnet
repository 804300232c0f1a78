// Molweni, dialogues with discourse relations: MEMNET, acts by a softmax at each post.
(import '../free_data.libsonnet').molweni + (import '../rows.libsonnet').memnet
