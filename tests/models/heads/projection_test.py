import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from torch.testing import assert_close

from nerzoo.models.heads.projection import ProjectionHead

TAGS = {
    "BIO": ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"],
    "BIOUL": ["O", "B-PER", "I-PER", "L-PER", "U-PER", "U-LOC"],
}
SIZE = 7
LENGTHS = [5, 1, 3]
METADATA = [
    {"words": ["Mara", "Quill", "smiled"], "text": "Mara  Quill smiled", "offsets": [0, 6, 12]},
    {"words": ["Lindow"], "text": "Lindow", "offsets": [0]},
]


def head(label_encoding="BIO", **kwargs) -> ProjectionHead:
    """A head over the tags of the encoding; without one, over those of BIO."""
    vocab = Vocabulary.empty()
    vocab.add_tokens_to_namespace(TAGS[label_encoding or "BIO"], "labels")
    torch.manual_seed(3)
    return ProjectionHead(vocab, SIZE, label_encoding=label_encoding, **kwargs).double()


@pytest.fixture
def encoded() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randn(len(LENGTHS), max(LENGTHS), SIZE, dtype=torch.float64)


@pytest.fixture
def mask() -> torch.Tensor:
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


@pytest.fixture
def gold() -> torch.Tensor:
    torch.manual_seed(7)
    return torch.randint(len(TAGS["BIO"]), (len(LENGTHS), max(LENGTHS)))


@pytest.mark.parametrize("decoder", ["crf", "softmax"])
def test_loss_is_the_negative_log_likelihood_per_token(encoded, mask, gold, decoder):
    tagger = head(decoder=decoder)
    outputs = tagger(encoded, mask, gold)
    logits = encoded @ tagger.tag_projection.weight.t() + tagger.tag_projection.bias
    assert_close(outputs["logits"], logits)
    total = 0.0
    for row, n in enumerate(LENGTHS):
        sentence = logits[row : row + 1, :n], gold[row : row + 1, :n], mask[row : row + 1, :n]
        total -= tagger.decoder.log_likelihood(*sentence)
    assert_close(outputs["loss"], total.squeeze() / sum(LENGTHS))


def test_tags_are_the_best_ones(encoded, mask):
    tagger = head()
    outputs = tagger(encoded, mask)
    assert "loss" not in outputs
    assert torch.equal(outputs["tags"], tagger.decoder.viterbi(outputs["logits"], mask)[0][:, 0])
    assert torch.equal(outputs["mask"], mask)


@pytest.mark.parametrize("label_encoding", ["BIO", None])
def test_without_decoding_there_are_no_tags_and_no_scores(encoded, mask, gold, label_encoding):
    tagger = head(label_encoding)
    before = tagger.get_metrics()
    outputs = tagger(encoded, mask, gold, decode=False)
    assert outputs.keys() == {"logits", "mask", "loss"}
    assert tagger.get_metrics() == before


def test_constraints_hold_with_a_label_encoding_only(encoded, mask):
    tags = {encoding: head(encoding)(50 * encoded, mask)["tags"][mask] for encoding in ("BIO", None)}
    inner = [TAGS["BIO"].index(tag) for tag in ("I-PER", "I-LOC")]
    starts = torch.tensor([0, 5, 6])  # Of the sentences, among the words.
    assert not torch.isin(tags["BIO"][starts], torch.tensor(inner)).any()
    assert not torch.equal(tags["BIO"], tags[None])


def score(tagger, gold_tags, predicted_tags) -> dict:
    """The metrics where the head predicts `predicted_tags`."""
    ids = {tag: i for i, tag in enumerate(TAGS["BIO"])}
    width = max(map(len, gold_tags))
    mask = torch.tensor([[t < len(row) for t in range(width)] for row in gold_tags])
    # Padding disagrees on purpose.
    gold = torch.tensor([[ids[tag] for tag in row] + [1] * (width - len(row)) for row in gold_tags])
    predicted = torch.tensor([[ids[tag] for tag in row] + [0] * (width - len(row)) for row in predicted_tags])
    torch.nn.init.eye_(tagger.tag_projection.weight)
    torch.nn.init.zeros_(tagger.tag_projection.bias)
    encoded = torch.nn.functional.one_hot(predicted, SIZE).double()
    tagger(100 * encoded, mask, gold)
    return tagger.get_metrics(reset=True)


GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["B-LOC"], ["O", "B-PER"]]
PREDICTED = [["B-PER", "I-PER", "O", "B-PER"], ["B-LOC"], ["O", "O"]]


def test_scores_of_entities():
    # Of 4 entities 3 are found, 2 of them right; 5 of 7 tags are right.
    tagger = head("BIO")
    expected = {"precision": 2 / 3, "recall": 2 / 4, "f1": 4 / 7, "accuracy": 5 / 7}
    assert score(tagger, GOLD, PREDICTED) == pytest.approx(expected)
    assert set(tagger.get_metrics().values()) == {0.0}


def test_scores_per_type():
    metrics = score(head("BIO", metrics_per_type=True), GOLD, PREDICTED)
    assert len(metrics) == 4 + 2 * 3
    assert (metrics["precision-PER"], metrics["recall-PER"], metrics["f1-PER"]) == (1 / 2, 1 / 2, 1 / 2)
    assert (metrics["precision-LOC"], metrics["recall-LOC"]) == (1.0, 1 / 2)


def test_scores_of_tags():
    tagger = head(None)
    assert score(tagger, GOLD, PREDICTED) == pytest.approx({"accuracy": 5 / 7})
    assert tagger.get_metrics() == {"accuracy": 0.0}


def test_unknown_names_are_errors():
    with pytest.raises(ConfigurationError, match="BIO or BIOUL, found 'IOB1'"):
        vocab = Vocabulary.empty()
        ProjectionHead(vocab, SIZE, label_encoding="IOB1")
    with pytest.raises(ConfigurationError, match="viterbi"):
        head(decoder="viterbi")


@pytest.mark.parametrize("decoder", ["crf", "softmax"])
@pytest.mark.parametrize(
    "label_encoding, favoured",
    [
        ("BIO", [["B-PER", "I-PER", "O"], ["B-LOC"]]),
        ("BIO", [["O", "B-PER", "B-LOC"], ["O"]]),
        ("BIOUL", [["B-PER", "L-PER", "U-LOC"], ["U-PER"]]),
        ("BIOUL", [["B-PER", "I-PER", "L-PER"], ["U-LOC"]]),
    ],
)
def test_entities_equal_enumeration(label_encoding, favoured, decoder):
    tagger, names = head(label_encoding, decoder=decoder), TAGS[label_encoding]
    logits = torch.randn(2, 3, len(names), dtype=torch.float64)
    for row, tags in enumerate(favoured):
        for t, tag in enumerate(tags):
            logits[row, t, names.index(tag)] += 4.0
    mask = torch.tensor([[True, True, True], [True, False, False]])
    outputs = {"logits": logits, "mask": mask, "tags": tagger.decoder.viterbi(logits, mask)[0][:, 0]}
    readable = tagger.make_output_human_readable(outputs, METADATA)

    assert readable["words"] == [sentence["words"] for sentence in METADATA]
    assert readable["tags"] == favoured
    for row, (tags, sentence) in enumerate(zip(favoured, METADATA, strict=True)):
        n = len(tags)
        paths = list(itertools.product(range(len(names)), repeat=n))
        if decoder == "crf":
            # What decoding cannot give has no share in the probabilities.
            start, end, allowed = len(names), len(names) + 1, set(tagger.decoder.constraints)
            paths = [path for path in paths if allowed.issuperset(itertools.pairwise([start, *path, end]))]
        copies = logits[row : row + 1, :n].expand(len(paths), -1, -1)
        everywhere = torch.ones(len(paths), n, dtype=torch.bool)
        probabilities = tagger.decoder.log_likelihood(copies, torch.tensor(paths), everywhere).softmax(0).tolist()

        starts = [t for t, tag in enumerate(tags) if tag[0] in "BU"]
        assert len(readable["entities"][row]) == len(starts)
        for start, entity in zip(starts, readable["entities"][row], strict=True):
            label = tags[start][2:]
            end = next((t for t in range(start + 1, n) if tags[t][0] not in "IL"), n)
            expected = 0.0
            for path, probability in zip(paths, probabilities, strict=True):
                path = [names[tag] for tag in path]
                goes_on = label_encoding == "BIO" and path[end : end + 1] == [f"I-{label}"]
                if path[start:end] == tags[start:end] and not goes_on:
                    expected += probability
            assert entity.pop("probability") == pytest.approx(expected, rel=1e-9)
            start_char = sentence["offsets"][start]
            end_char = sentence["offsets"][end - 1] + len(sentence["words"][end - 1])
            assert entity == {
                "start": start,
                "end": end,
                "label": label,
                "text": sentence["text"][start_char:end_char],
                "start_char": start_char,
                "end_char": end_char,
            }


def test_no_entities():
    tagger = head("BIO")
    mask = torch.tensor([[True, True, True], [True, False, False]])
    outputs = {"logits": torch.zeros(2, 3, 5), "mask": mask, "tags": torch.zeros(2, 3, dtype=torch.long)}
    assert tagger.make_output_human_readable(outputs, METADATA)["entities"] == [[], []]


def test_without_label_encoding_there_are_no_entities():
    tagger = head(None)
    outputs = {"tags": torch.tensor([[1, 2, 0], [3, 0, 0]])}
    readable = tagger.make_output_human_readable(outputs, METADATA)
    assert readable.keys() == {"words", "tags"}
    assert readable["tags"] == [["B-PER", "I-PER", "O"], ["B-LOC"]]


def test_scores_of_the_main_label():
    # Of two predicted B-PER one is right, of two gold ones one is found.
    tagger = head(None, positive_label="B-PER")
    scores = score(tagger, GOLD, PREDICTED)
    assert scores.keys() == {"accuracy", "precision", "recall", "f0.5"}
    assert (scores["precision"], scores["recall"]) == pytest.approx((1 / 2, 1 / 2))


def test_a_wrong_main_label_is_an_error():
    with pytest.raises(ConfigurationError, match="found positive_label 'X', expected one of the tags: O, B-PER"):
        head(None, positive_label="X")
    with pytest.raises(
        ConfigurationError, match="found positive_label 'O' with label_encoding BIO, expected one of them"
    ):
        head("BIO", positive_label="O")
