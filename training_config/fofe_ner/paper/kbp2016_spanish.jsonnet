// Table 5.6, KBP 2016, Spanish: published precision 83.5, recall 60.2, F1 70.0. The in-house documents have no Spanish;
// using Wikipedia as training data is a guess, because the thesis does not say so.
(import 'kbp.libsonnet').of_2016('spanish', 'kbp2015_wikipedia')
