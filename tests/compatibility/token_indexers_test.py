from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer

from nerzoo.compatibility.token_indexers import feature_name


def test_feature_of_an_indexer():
    assert feature_name(SingleIdTokenIndexer(feature_name="tag_")) == "tag_"
    assert feature_name(SingleIdTokenIndexer()) == "text"
    assert feature_name(TokenCharactersIndexer(min_padding_length=1)) is None
