from allennlp.data import Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from nerzoo.compatibility.token_embedders import embedding_namespace, token_embedders


def test_namespace_of_an_embedding():
    vocab = Vocabulary(counter={"words": {"a": 2}})
    assert embedding_namespace(Embedding(3, vocab_namespace="words", vocab=vocab)) == "words"
    assert embedding_namespace(Embedding(3, num_embeddings=5, vocab_namespace="words")) is None


def test_embedders_by_the_names_of_their_indexers():
    embedders = {"words": Embedding(3, num_embeddings=5), "pos_tags": Embedding(2, num_embeddings=5)}
    assert token_embedders(BasicTextFieldEmbedder(embedders)) == embedders
