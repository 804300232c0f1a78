import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.models.heads.tag_head import TagHead
from nerzoo.training.metrics.span_f1 import SpanF1
from nerzoo.training.metrics.tag_scores import TagScores

BIO, BIOUL = ["O", "B-a", "I-a"], ["O", "B-a", "L-a", "U-b"]


@pytest.mark.parametrize(
    ("tags", "coding_scheme", "metric"),
    [(BIO, None, TagScores), (BIO, "BIO", SpanF1), (BIOUL, "BIOUL", SpanF1), (["N", "V"], None, TagScores)],
)
def test_the_vocabulary_says_whether_tags_stand_for_entities(tags, coding_scheme, metric):
    head = TagHead(vocabulary_of_tags(tags, coding_scheme))
    assert head.coding_scheme == coding_scheme
    assert isinstance(head.metric, metric)


@pytest.mark.parametrize(
    ("tags", "coding_scheme", "message"),
    [
        (BIO, "BIOUL", "found the coding scheme BIOUL and a tag B-a, but no L-a; expected tags of the scheme"),
        (BIOUL, "BIO", "starts with 'L': not BIO"),
        (["N", "V"], "BIO", "starts with 'N': not BIO"),
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
    assert head.extra_outputs.keys() == {"sequence_entropy", "least_confidence"}
    with_entities = TagHead(vocabulary_of_tags(BIO, "BIO")).extra_outputs
    assert with_entities.keys() == {"sequence_entropy", "least_confidence", "gold_entities"}
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
    head.concept_error_rate(predicted, gold, torch.ones_like(gold, dtype=torch.bool))
    assert head.get_metrics(reset=True)["cer"] == cer
