// Table 5.5, KBP 2015, English: published precision 77.1, recall 67.8, F1 72.2.
(import 'kbp.libsonnet').english
