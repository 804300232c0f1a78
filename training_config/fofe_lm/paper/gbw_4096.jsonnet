// Table 4.3: the larger model of Google Billion Word; perplexity 43.5 on test, twelve days on one GPU of 2015.
(import 'large.libsonnet').gbw(4096, 720)
