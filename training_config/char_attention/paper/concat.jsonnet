// The second column of the paper's results: words and characters concatenated. Published test F1 on CoNLL-2003: 83.37.
(import '../paper.jsonnet') + (import '../rows.libsonnet').concat
