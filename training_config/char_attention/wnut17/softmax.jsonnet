// WNUT-17, entities of six types in tweets and comments: attention, with a softmax at each word in place of the CRF.
// Measured: test f1 30.9, 1 seed, 8 minutes.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').softmax
