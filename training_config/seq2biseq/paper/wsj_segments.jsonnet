// Segments of 15 words on WSJ, in place of whole sentences. Published, without figures: both give similar results
// (section 4.2).
(import 'wsj.libsonnet') + (import '../rows.libsonnet').seq2biseq_le { segment_length:: 15 }
