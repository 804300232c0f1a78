// Table 4.3: the smaller model of Google Billion Word; perplexity 45.4 on test, six days on one GPU of 2015.
(import 'large.libsonnet').gbw(2048, 640)
