// The FOFE language model of second order with the thesis's settings; the leaves in fofe_lm_ptb/ are the rows of its Table
// 4.1.
// Paper: Xu, "Fixed-size Ordinally-Forgetting Encoding and its Applications" (2017), section 4.2.1.
// Data: ptb.train.txt, ptb.valid.txt and ptb.test.txt, as Mikolov prepared the Penn Treebank for language models, in the
// folder that the environment variable PTB names.
// Where the thesis is silent: batches of 200 words, 20 epochs, rectified linear units; of the learning rates that it tried
// on validation data, 0.128 is set: `-o '{"trainer.optimizer.lr": 0.256}'` is another one.
// Expected: perplexity 108 on test, 116 with first order (Table 4.1); not measured here, the data is not free.
(import 'lib/fofe_lm_ptb.libsonnet') { order:: 2 }
