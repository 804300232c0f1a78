// FOFE-NER on WNUT-17. Files of this folder with the same name as a file in ../paper/ are the same rows of Table 5.1;
// the others are our own rows.
(import '../glove.libsonnet') + (import '../../lib/data.libsonnet').wnut17 { epochs:: 30 }
