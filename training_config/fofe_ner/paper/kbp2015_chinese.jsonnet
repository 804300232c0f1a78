// Table 5.5, KBP 2015, Chinese: published precision 79.3, recall 71.7, F1 75.3.
(import 'kbp.libsonnet').chinese
