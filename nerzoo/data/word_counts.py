import torch
from allennlp.data import Vocabulary

from nerzoo.allennlp_private import token_counts


def word_counts(vocab: Vocabulary, namespace: str) -> torch.Tensor:
    """
    Returns how often each word of a vocabulary, by index, occurs in the data that the vocabulary was made from. The
    count of the unknown word is the number of occurrences of words outside the vocabulary. All counts are zero where
    the vocabulary was read from files, which do not have counts. The counts are a `torch.LongTensor`.
    """
    found = token_counts(vocab, namespace)
    counts = torch.zeros(vocab.get_vocab_size(namespace), dtype=torch.long)
    indices = torch.tensor([vocab.get_token_index(word, namespace) for word in found], dtype=torch.long)
    return counts.index_add_(0, indices, torch.tensor(list(found.values()), dtype=torch.long))
