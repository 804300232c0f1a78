// The IRC logs of Kummerfeld et al. (2019), in threads of 100 messages and those before them that they reply to. Its
// parts are the authors'. Links have one act, and links to the head another: there is little for a CRF to find. Threads
// are longer than the paper's, so that batches have fewer; and there are more of them, so that there are fewer epochs.
(import '../free_data.libsonnet') + (import '../../lib/data.libsonnet').irc {
  batch_size:: 4,
  epochs:: 15,
}
