// Table 5.8, KBP 2016, English, trained on KBP 2015 only: published precision 83.6, recall 59.8, F1 69.7.
local kbp = import 'kbp.libsonnet';

kbp.english + kbp.of_2016('kbp2015_all')
