// MEMNET on this task: a softmax at each word (equation 13) gives the tags, without a CRF.
// Published: nothing; the paper has this row in Table 1 only.
(import '../paper.jsonnet') + (import '../rows.libsonnet').memnet
