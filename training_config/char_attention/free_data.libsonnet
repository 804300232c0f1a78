// Attending to characters on free data.
// Differs from the paper in Adam, in place of AdaDelta, and in dropout, which the paper does not have. As in all
// configurations here, the CRF decodes only well-formed tags; the authors' CRF decodes any tags.
local data = import '../lib/data.libsonnet';

// Word vectors are learned from words that occur twice.
local learned = (import 'base.libsonnet') + (import '../lib/seed.libsonnet') {
  word_vector_size:: 100,
  character_embedding_size:: 25,
  character_hidden_size:: 50,
  hidden_size:: 100,
  input_dropout:: 0.3,
  dropout:: 0.3,
  batch_size:: 32,
  patience:: null,  // on small data F1 stays zero for some epochs
  optimizer:: { type: 'fused_adam', lr: 4e-3 },
  trainer+: { grad_norm: 5.0 },
};
// The paper's sizes except for words: fixed vectors from the file WORD_VECTORS, GloVe's of 100 dimensions (the paper
// tunes the vectors of Google News).
local english = learned {
  word_vectors:: import '../lib/word_vectors.libsonnet',
  fixed_words:: true,
  lowercase_words:: self.fixed_words,
  character_embedding_size:: 50,
  character_hidden_size:: 200,
  hidden_size:: 200,
  input_dropout:: 0.5,
  dropout:: 0.5,
  patience:: 4,
  optimizer:: { type: 'fused_adam', lr: 2e-3 },
};

{
  english: english,
  // Genes in sentences of abstracts. Twelve epochs, so that a run takes 22 minutes of a core, with words alone 5.
  bc2gm: english + data.bc2gm { task:: 'ner', epochs:: 12 },
  // Names in other biomedical text. Training reads about 2.5 million words, so that a run takes about 15 minutes of a
  // core: chemicals and diseases, diseases, anatomy, and six types in full papers.
  bc5cdr: english + data.bc5cdr { task:: 'ner', epochs:: 20 },
  ncbi_disease: english + data.ncbi_disease { task:: 'ner', epochs:: 20 },
  // A word of the development data has 505 characters.
  anatem: english + data.anatem { task:: 'ner', max_word_length:: 600, epochs:: 16 },
  craft: english + data.craft { task:: 'ner', epochs:: 9 },
  // Parts of speech in abstracts.
  genia: english + data.genia_pos { task:: 'pos', epochs:: 6 },
  // The language-specific parts of speech.
  ud_english_ewt: english + data.ud_english_ewt { task:: 'pos', epochs:: 12 },
  // Entities of six types in tweets and comments. On small data F1 stays zero for some epochs.
  wnut17: english + data.wnut17 { task:: 'ner', batch_size:: 16, epochs:: 30, patience:: 10 },
  // Learners' errors.
  falko_merlin_german: learned + data.falko_merlin_german { task:: 'error_detection', epochs:: 4 },
  merlin_italian: learned + data.merlin_italian { task:: 'error_detection', batch_size:: 16, epochs:: 14 },
}
