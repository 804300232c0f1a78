import pytest
import torch
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.models.heads.tag_head import TaggedEntities
from nerzoo.modules.tag_distributions.softmax import SoftmaxDistribution

TAGS = {"BIO": ["O", "B-a", "I-a"], "BIOUL": ["O", "U-a", "B-a", "L-a"]}
WORDS = ["Mara", "left", "Rain"]
METADATA = [{"words": WORDS, "text": " ".join(WORDS), "offsets": [0, 5, 10]}]


@pytest.fixture(params=TAGS)
def coding_scheme(request):
    return request.param


@pytest.fixture
def outputs(coding_scheme):
    """Of one word that is an entity, as good as surely, one that is none, and one that is an entity at 0.6."""
    others = [0.0] * (len(TAGS[coding_scheme]) - 2)
    probabilities = torch.tensor([[[0.0, 1.0, *others], [1.0, 0.0, *others], [0.4, 0.6, *others]]])
    logits = probabilities.clamp(min=1e-6).log()
    return {"tags": torch.tensor([[1, 0, 1]]), "logits": logits, "mask": torch.ones(1, 3, dtype=torch.bool)}


@pytest.fixture
def entities(coding_scheme):
    return TaggedEntities(vocabulary_of_tags(TAGS[coding_scheme], coding_scheme), coding_scheme, "labels")


@pytest.mark.parametrize(("probability", "words"), [(0.5, []), (0.7, [2]), (1.1, [0, 2])])
def test_words_of_entities_below_a_probability(coding_scheme, outputs, entities, probability, words):
    distribution = SoftmaxDistribution(len(TAGS[coding_scheme]))
    assert entities.below(probability, distribution, outputs).nonzero()[:, 1].tolist() == words


def test_entities_are_described(coding_scheme, outputs, entities):
    names = [[TAGS[coding_scheme][tag] for tag in outputs["tags"][0]]]
    distribution = SoftmaxDistribution(len(TAGS[coding_scheme]))
    ((first, second),) = entities.described(distribution, outputs, outputs["tags"], names, METADATA)
    assert (first["text"], first["label"], second["text"], second["start"]) == ("Mara", "a", "Rain", 2)
    assert [first["probability"], second["probability"]] == pytest.approx([1.0, 0.6], abs=1e-4)
