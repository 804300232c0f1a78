// Document NER on free data: vectors of WikiText-2, in the file that WORD_VECTORS names, which stay as they are.
local fixed_words = import '../lib/fixed_words.libsonnet';
local seed = import '../lib/seed.libsonnet';
local memory_ner = import 'base.libsonnet';

memory_ner + fixed_words + seed { unknown_word:: '<unk>' }
