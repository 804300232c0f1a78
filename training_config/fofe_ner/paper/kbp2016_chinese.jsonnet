// Table 5.6, KBP 2016, Chinese, with the in-house documents: published precision 78.9, recall 62.5, F1 69.8.
local kbp = import 'kbp.libsonnet';

kbp.chinese + kbp.of_2016('kbp2015_in_house')
