// Table 5.5, KBP 2015, Spanish: published precision 79.9, recall 71.8, F1 75.6.
(import 'kbp.libsonnet').spanish
