from allennlp.data import Vocabulary

from nerzoo.data.fields import CODING_SCHEMES


def vocabulary_of_tags(tags, coding_scheme=None, namespace="labels"):
    """A vocabulary of tags, in this order, and of the coding scheme in which they stand for spans, if they do."""
    vocab = Vocabulary()
    vocab.add_tokens_to_namespace(list(tags), namespace)
    if coding_scheme is not None:
        vocab.add_token_to_namespace(coding_scheme, CODING_SCHEMES)
    return vocab
