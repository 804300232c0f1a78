// Table 5.6, KBP 2016, Chinese, with the in-house documents: published precision 78.9, recall 62.5, F1 69.8.
(import 'kbp.libsonnet').of_2016('chinese', 'kbp2015_in_house')
