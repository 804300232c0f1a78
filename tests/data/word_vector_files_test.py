import gzip

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules import TokenEmbedder

import nerzoo.components  # noqa: F401
from nerzoo.data.vocabulary import WholeVocabulary

VOCAB = Vocabulary(counter={"tokens": {"a": 1, "b": 1}})


def embedding(path):
    config = {"type": "embedding", "embedding_dim": 2, "pretrained_file": str(path)}
    return TokenEmbedder.from_params(Params(config), vocab=VOCAB)


def vocabulary(path):
    return WholeVocabulary(counter={"tokens": {"a": 1}}, pretrained_files={"tokens": str(path)})


def test_vectors_are_read_as_ever(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 4\n")
    assert embedding(tmp_path / "v.txt").weight[VOCAB.get_token_index("b")].tolist() == [3, 4]


@pytest.mark.parametrize(
    "content",
    [b"", b"a secret x\n", "a 1 2\nb\u00e9 1 2\n".encode("utf-16"), gzip.compress(b"a 1 2\n" * 99)[:-12], b"\xff\n"],
    ids=["empty", "words", "utf-16", "cut off", "bytes"],
)
def test_vectors_that_cannot_be_read(content, tmp_path):
    path = tmp_path / ("v.gz" if content.startswith(b"\x1f") else "v.txt")
    path.write_bytes(content)
    for read in (embedding, vocabulary):
        if read is embedding or b"secret" not in content:
            with pytest.raises(ConfigurationError) as caught:
                read(path)
            assert path.name in str(caught.value) and "secret" not in str(caught.value)


def test_vectors_that_are_not_there(tmp_path):
    with pytest.raises(ConfigurationError, match="none.txt: found no such file, expected word vectors"):
        embedding(tmp_path / "none.txt")
    with pytest.raises(ConfigurationError, match="none.txt: found no such file"):
        vocabulary(tmp_path / "none.txt")


def test_other_errors_stay():
    with pytest.raises(TypeError):
        TokenEmbedder.by_name("embedding")(embedding_dim="x", num_embeddings=2)
