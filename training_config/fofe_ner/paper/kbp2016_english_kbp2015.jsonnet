// Table 5.8, KBP 2016, English, trained on KBP 2015 only: published precision 83.6, recall 59.8, F1 69.7.
(import 'kbp.libsonnet').of_2016('english', 'kbp2015_all')
