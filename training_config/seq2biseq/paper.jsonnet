// Seq2Biseq with the paper's settings, its best row (Table 4, 2-opt), on MEDIA; paper/ has its other rows and WSJ.
// Paper: Dinarelli and Grobol, "Seq2Biseq: Bidirectional Output-wise Recurrent Neural Networks for Sequence Modelling"
// (2019).
// Data: MEDIA, see paper/media.libsonnet. Sizes: words 200, labels 150, characters 30, GRUs 300, the GRU of characters
// 100. SGD with momentum 0.9 and a learning rate of 0.125 that decreases after every epoch by the same amount, to zero
// after 40; dropout 0.5, L2 1e-4, batches of 100 segments of 15 words; the epoch with the best development accuracy.
// Embeddings start from N(0, 1), PyTorch's default at that time. CER has the weights of sclite (4, 3, 3), which are
// similar to the paper's alignment.
// Not given in the paper: the loss is averaged over tokens; both optimisers start at the same learning rate and step on
// gradients taken at the same parameters, the backward decoder's without the L2 term (one after the other:
// paper/two_optimizers_one_after_another.jsonnet); words that occur once are unknown; concepts that only development or
// test data has are known, but never learned.
// Published: test accuracy 89.79, F1 87.69, CER 9.93 (development 90.22, 86.88, 9.97), the mean of ten runs; not
// measured here, because the data is not free. The paper's 40 epochs took 3.5 hours on a GTX 1080.
(import 'paper/media.libsonnet') { segment_length:: 15, two_optimizers:: true }
