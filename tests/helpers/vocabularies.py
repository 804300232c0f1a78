from allennlp.data import Vocabulary

from nerzoo.archives.exported import CODING_SCHEMES


def vocabulary_of_tags(tags, coding_scheme=None, namespace="labels"):
    """Returns a vocabulary of tags in this order, and of their coding scheme, if they stand for spans."""
    vocab = Vocabulary()
    vocab.add_tokens_to_namespace(list(tags), namespace)
    if coding_scheme is not None:
        vocab.add_token_to_namespace(coding_scheme, CODING_SCHEMES)
    return vocab
