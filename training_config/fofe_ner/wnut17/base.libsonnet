// FOFE-NER on WNUT-17. Files in this folder and files of the same names in ../paper/ are the same rows of Table 5.1; the
// others are ours.
(import '../glove.libsonnet') + (import '../../lib/data.libsonnet').wnut17 { epochs:: 30 }
