import torch
from allennlp.data import Vocabulary

from nerzoo.compatibility import token_counts


def word_counts(vocab: Vocabulary, namespace: str) -> torch.LongTensor:
    """
    How often the data that a vocabulary was made from has each of its words, by index; those that are not in it count
    for the unknown word. All are zero where the vocabulary was read from files, which have no counts.
    """
    found = token_counts(vocab, namespace)
    counts = torch.zeros(vocab.get_vocab_size(namespace), dtype=torch.long)
    indices = torch.tensor([vocab.get_token_index(word, namespace) for word in found], dtype=torch.long)
    return counts.index_add_(0, indices, torch.tensor(list(found.values()), dtype=torch.long))
