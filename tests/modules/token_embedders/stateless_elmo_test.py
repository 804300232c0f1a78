import pytest
import torch
from allennlp.common import Params
from allennlp.modules import TokenEmbedder
from allennlp.modules.elmo import batch_to_ids
from helpers.tiny_pretrained import write_elmo

import nerzoo  # noqa: F401

BATCHES = [[["Mara", "lived", "in", "Lindow", "."], ["Yes"], []], [["Jordan"], ["She", "left", "."]]]
SIZE = 8


@pytest.fixture
def embed(tmp_path):
    """A function of a registered name: that embedder of a tiny ELMo, in evaluation."""
    write_elmo(tmp_path, SIZE)
    files = {"options_file": str(tmp_path / "options.json"), "weight_file": str(tmp_path / "weights.hdf5")}

    def embedder(name):
        return TokenEmbedder.from_params(Params({"type": name, **files, "dropout": 0.0})).eval()

    return embedder


def test_a_batch_does_not_depend_on_the_one_before_it(embed):
    first, second = map(batch_to_ids, BATCHES)
    ours, theirs = embed("stateless_elmo"), embed("elmo_token_embedder")
    fresh = theirs(first)
    assert ours.get_output_dim() == SIZE
    for _ in range(2):
        assert torch.equal(ours(first), fresh)
        ours(second)
    # AllenNLP's own: what makes this one necessary.
    theirs(second)
    assert not torch.allclose(theirs(first)[0], fresh[0])


def test_a_sentence_does_not_depend_on_its_batch(embed):
    ours = embed("stateless_elmo")
    together = ours(batch_to_ids(BATCHES[0]))
    for sentence, row in zip(BATCHES[0][:2], together, strict=False):
        torch.testing.assert_close(ours(batch_to_ids([sentence]))[0], row[: len(sentence)])


def test_weights_are_those_of_allennlp(embed):
    ours, theirs = embed("stateless_elmo"), embed("elmo_token_embedder")
    assert not theirs.load_state_dict(ours.state_dict()).missing_keys
