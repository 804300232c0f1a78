// A tagger that reads whole documents with a memory: names, dates, numbers and other names in English, for the zoo.
// DATA names the folder of Re-DocRED, WORD_VECTORS a file of GloVe's vectors of 100 numbers, which are kept in 4 bits.
(import '../memory_ner/free_data.libsonnet').redocred { word_embedders+:: { tokens+: { bits: 4 } } }
