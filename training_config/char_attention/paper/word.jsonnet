// The first column of the paper's results: words alone. Published test F1 on CoNLL-2003: 79.86.
(import '../paper.jsonnet') + (import '../rows.libsonnet').word
