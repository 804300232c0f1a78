// WNUT-17, entities of six types in tweets and comments: attention, with a softmax at each word in place of the CRF.
// Measured: not trained.
(import '../free_data.libsonnet').wnut17 + (import '../rows.libsonnet').softmax
