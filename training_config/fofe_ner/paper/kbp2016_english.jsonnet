// Tables 5.6 and 5.8, KBP 2016, English, with the in-house documents: published precision 83.6, recall 68.0, F1 75.0.
(import 'kbp.libsonnet').of_2016('english', 'kbp2015_in_house')
