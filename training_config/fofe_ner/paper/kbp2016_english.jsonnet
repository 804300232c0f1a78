// Tables 5.6 and 5.8, KBP 2016, English, with the in-house documents: published precision 83.6, recall 68.0, F1 75.0.
local kbp = import 'kbp.libsonnet';

kbp.english + kbp.of_2016('kbp2015_in_house')
