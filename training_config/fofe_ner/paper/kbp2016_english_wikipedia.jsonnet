// Table 5.8, KBP 2016, English, with automatically labelled articles of Wikipedia: published precision 83.7, recall
// 62.8, F1 71.8.
(import 'kbp.libsonnet').of_2016('english', 'kbp2015_wikipedia')
