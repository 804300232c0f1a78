// The IRC logs of Kummerfeld et al. (2019), in threads of 100 messages with the earlier messages that they reply to,
// and with the authors' split. Links have one act, and links to the head another one, so that a CRF can find little.
// Threads are longer than the paper's, so that batches have fewer; there are more threads, so that there are fewer
// epochs.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').irc {
  batch_size:: 4,
  epochs:: 15,
}
