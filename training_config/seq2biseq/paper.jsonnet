// Seq2Biseq with the paper's settings, its best row (Table 4, 2-opt), on MEDIA; paper/ has its other rows and WSJ.
// Paper: Dinarelli and Grobol, "Seq2Biseq: Bidirectional Output-wise Recurrent Neural Networks for Sequence
// Modelling" (2019).
// Data: MEDIA, see paper/media.libsonnet. Sizes 200 (words), 150 (labels), 30 (characters), GRUs of 300, of
// characters 100; SGD with momentum 0.9 and a learning rate of 0.125 that falls after every epoch by the same amount, to
// zero after 40; dropout 0.5, L2 1e-4, batches of 100 segments of 15 words; the epoch with the best development accuracy.
// Embeddings start from N(0, 1), PyTorch's default then; CER has the weights of sclite (4, 3, 3), which the paper's alignment
// is much like.
// Where the paper is silent: the loss is averaged over tokens; both optimisers start at the same learning rate and step on
// gradients taken at the same parameters, the backward decoder's without the L2 term (one after another:
// paper/two_optimizers_one_after_another.jsonnet); words that occur once are unknown; concepts that only development or
// test data has are known, and never learned.
// Published: test accuracy 89.79, F1 87.69, CER 9.93 (development 90.22, 86.88, 9.97), the mean of ten runs; not measured
// here, the data is not free. The paper's 40 epochs took 3.5 hours on a GTX 1080.
(import 'paper/media.libsonnet') { segment_length:: 15, two_optimizers:: true }
