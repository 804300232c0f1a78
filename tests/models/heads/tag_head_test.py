import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.modules.tag_distributions import SoftmaxDistribution
from nerzoo.training.metrics.counting_metric import TagMetric, TagScores
from nerzoo.training.metrics.span_f1 import SpanF1

BIO, BIOUL = ["O", "B-a", "I-a"], ["O", "B-a", "L-a", "U-b"]


@pytest.mark.parametrize(
    ("tags", "coding_scheme", "metric"),
    [(BIO, None, TagScores), (BIO, "BIO", SpanF1), (BIOUL, "BIOUL", SpanF1), (["N", "V"], None, TagScores)],
)
def test_the_vocabulary_says_whether_tags_stand_for_entities(tags, coding_scheme, metric):
    head = TagHead(vocabulary_of_tags(tags, coding_scheme))
    assert head.coding_scheme == coding_scheme
    assert [type(each) for each in head.metrics] == [metric]


@pytest.mark.parametrize(
    ("tags", "coding_scheme", "message"),
    [
        (BIO, "BIOUL", "found the coding scheme BIOUL and a tag B-a, but no L-a; expected tags of the scheme"),
        (BIOUL, "BIO", "starts with 'L', expected tags of BIO"),
        (["N", "V"], "BIO", "starts with 'N', expected tags of BIO"),
        (BIO, "IOB1", "the coding_scheme of the reader must be BIO or BIOUL, found 'IOB1'"),
        (["O"], "BIO", r"found no entity among the labels \(O\), expected one at least"),
    ],
)
def test_tags_that_do_not_fit_the_coding_scheme(tags, coding_scheme, message):
    with pytest.raises(ConfigurationError, match=message):
        TagHead(vocabulary_of_tags(tags, coding_scheme))


def test_two_coding_schemes():
    vocab = vocabulary_of_tags(BIO, "BIO")
    vocab.add_token_to_namespace("BIOUL", "coding_scheme_labels")
    with pytest.raises(ConfigurationError, match="found tags in the coding schemes BIO and BIOUL"):
        TagHead(vocab)


def test_tags_in_another_namespace():
    head = TagHead(vocabulary_of_tags(BIO, "BIO", "ner_labels"), label_namespace="ner_labels")
    metadata = [{"words": ["Mara", "left"]}, {"words": ["Rain"]}]
    assert head.tag_names(torch.tensor([[1, 0], [0, 2]]), metadata) == [["B-a", "O"], ["O"]]


@pytest.mark.parametrize("temperature", [0, -1.5, float("nan")])
def test_a_temperature_is_positive(temperature):
    with pytest.raises(ConfigurationError, match=f"found the temperature {temperature:g}, expected one above 0"):
        TagHead(vocabulary_of_tags(BIO), temperature=temperature)


def test_it_is_a_base_class():
    head = TagHead(vocabulary_of_tags(BIO))
    assert head.extra_outputs.keys() == {"sequence_entropy", "least_confidence", "marginals"}
    with_entities = TagHead(vocabulary_of_tags(BIO, "BIO")).extra_outputs
    assert with_entities.keys() == {"sequence_entropy", "least_confidence", "marginals", "gold_entities"}
    with pytest.raises(NotImplementedError):
        head(torch.zeros(1, 2, 3), torch.ones(1, 2, dtype=torch.bool))


@pytest.mark.parametrize("sclite_weights, cer", [(False, 5 / 5), (True, 6 / 5)])
def test_concept_errors_may_have_the_weights_of_sclite(sclite_weights, cer):
    tags = [f"B-{concept}" for concept in "abcdexyz"]
    vocab = vocabulary_of_tags(tags, "BIO")
    head = TagHead(vocab, concept_error_rate=True, sclite_weights=sclite_weights)
    predicted, gold = (
        torch.tensor([[vocab.get_token_index(f"B-{concept}", "labels") for concept in concepts]])
        for concepts in ("xyzab", "abcde")
    )
    head.score(predicted, gold, torch.ones_like(gold, dtype=torch.bool))
    assert head.get_metrics(reset=True)["cer"] == cer


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


def make_head(coding_scheme, **parameters):
    head = TagHead(vocabulary_of_tags(TAGS[coding_scheme], coding_scheme), **parameters)
    head.distribution = SoftmaxDistribution(len(TAGS[coding_scheme]))
    return head


@pytest.mark.parametrize(("probability", "words"), [(0.5, []), (0.7, [2]), (1.1, [0, 2])])
def test_words_of_entities_below_a_probability(coding_scheme, outputs, probability, words):
    kept = make_head(coding_scheme, min_probability=probability).kept_tags(outputs)
    assert (kept != outputs["tags"]).nonzero()[:, 1].tolist() == words
    assert kept[0, words].tolist() == [0] * len(words)


def test_entities_are_described(coding_scheme, outputs):
    readable = make_head(coding_scheme).make_output_human_readable(outputs, METADATA)
    ((first, second),) = readable["entities"]
    assert (first["text"], first["label"], second["text"], second["start"]) == ("Mara", "a", "Rain", 2)
    assert [first["probability"], second["probability"]] == pytest.approx([1.0, 0.6], abs=1e-4)


def build_head(coding_scheme=None, tags=BIO, **parameters):
    return TagHead.from_params(
        Params({"type": "tag_head", **parameters}), vocab=vocabulary_of_tags(tags, coding_scheme)
    )


class NumTags(TagMetric):
    """A metric of another package."""

    def __init__(self, vocabulary, factor):
        self._factor = factor
        super().__init__(1)

    def count(self, predictions, gold_labels, mask):
        return mask.sum().view(1)

    def scores(self, counts):
        return {"num_tags": self._factor * counts.item()}


@pytest.fixture
def num_tags(monkeypatch):
    """The name of a registered metric."""
    monkeypatch.setitem(TagMetric._registry[TagMetric], "num_tags", (NumTags, None))
    monkeypatch.setitem(TagHead._registry[TagHead], "tag_head", (TagHead, None))
    return "num_tags"


def test_metrics_are_configuration(num_tags):
    metrics = [
        {"type": "concept_error_rate", "sclite_weights": True},
        {"type": "conlleval", "per_type": True},
        {"type": num_tags, "factor": 3},
    ]
    head = build_head("BIO", metrics=metrics)
    tags = torch.tensor([[1, 2, 0]])
    head.score(tags, tags, torch.tensor([[True, True, False]]))
    scores = head.get_metrics(reset=True)
    assert scores["num_tags"] == 6
    assert (scores["f1"], scores["f1-a"], scores["cer"]) == (1, 1, 0)
    assert list(scores)[0] == "cer" and list(scores)[-1] == "num_tags"
    assert set(head.get_metrics().values()) == {0}


def test_options_of_the_head_are_those_of_its_metrics(num_tags):
    metrics = ["conlleval", {"type": "concept_error_rate"}, {"type": num_tags, "factor": 1}]
    assert "f1-a" in build_head("BIO", metrics=metrics, metrics_per_type=True).get_metrics()
    scores = build_head(None, metrics=["tag_scores"], positive_label="I-a").get_metrics()
    assert list(scores) == ["accuracy", "precision", "recall", "f0.5"]
    scores = build_head("BIO", metrics=[{"type": num_tags, "factor": 1}], concept_error_rate=True).get_metrics()
    assert list(scores) == ["num_tags", "cer", "insertion_rate", "deletion_rate", "substitution_rate"]


def test_a_score_is_reported_once(num_tags):
    with pytest.raises(ConfigurationError, match="found metrics that report accuracy, .* expected each of them once"):
        build_head("BIO", metrics=["tag_scores", "conlleval"])


def test_metrics_of_entities_need_a_coding_scheme(num_tags):
    with pytest.raises(ConfigurationError, match="found the coding scheme None, expected one of BIO, "):
        build_head(None, metrics=["conlleval"])
