import itertools

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.vocabularies import vocabulary_of_tags
from torch.testing import assert_close

from nerzoo.models.heads.tag_head import ProjectionHead, TagHead
from nerzoo.modules.tag_distributions import ConditionalRandomField
from nerzoo.text.annotation import Entity, tags_to_entities

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


def head(coding_scheme="BIO", **parameters) -> ProjectionHead:
    """A head over the tags of the scheme; without one, over those of BIO that stand for themselves."""
    vocab = vocabulary_of_tags(TAGS[coding_scheme or "BIO"], coding_scheme)
    torch.manual_seed(3)
    return TagHead.from_params(Params(parameters), vocab=vocab, input_size=SIZE).double()


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


def test_is_registered():
    assert TagHead.by_name("projection") is ProjectionHead
    assert isinstance(head(), ProjectionHead)


@pytest.mark.parametrize("distribution", ["crf", "softmax"])
def test_loss_is_the_negative_log_likelihood_per_token(encoded, mask, gold, distribution):
    tagger = head(distribution=distribution)
    outputs = tagger(encoded, mask, gold)
    logits = encoded @ tagger.tag_projection.weight.t() + tagger.tag_projection.bias
    assert_close(outputs["logits"], logits)
    total = 0.0
    for row, n in enumerate(LENGTHS):
        sentence = logits[row : row + 1, :n], gold[row : row + 1, :n], mask[row : row + 1, :n]
        total -= tagger.distribution.log_likelihood(*sentence)
    assert_close(outputs["loss"], total.squeeze() / sum(LENGTHS))


@pytest.mark.parametrize("distribution", ["crf", "softmax"])
def test_sentences_with_marginals_learn_these_and_not_tags(encoded, mask, gold, distribution):
    tagger = head(distribution=distribution)
    torch.manual_seed(11)
    teacher = torch.rand(len(LENGTHS), max(LENGTHS), len(TAGS["BIO"]), dtype=torch.float64).softmax(2)
    teacher = teacher * mask.unsqueeze(2)
    teacher[1] = 0
    outputs = tagger(encoded, mask, gold, marginals=teacher)
    own = tagger.distribution.marginals(outputs["logits"], mask)
    expected = -(teacher * own.clamp(min=1e-99).log()).sum()
    expected -= tagger.distribution.log_likelihood(outputs["logits"], gold, mask)[1]
    assert_close(outputs["loss"], expected / sum(LENGTHS))


def test_each_sentence_has_its_weight(encoded, mask, gold):
    tagger = head()
    weight = torch.tensor([0.5, 0.0, 2.0])
    outputs = tagger(encoded, mask, gold, loss_weight=weight)
    losses = -tagger.distribution.log_likelihood(outputs["logits"], gold, mask)
    assert_close(outputs["loss"], (0.5 * losses[0] + 2 * losses[2]) / sum(LENGTHS))


def test_marginals_are_an_extra_output(encoded, mask):
    tagger = head()
    outputs = tagger(encoded[:2], mask[:2])
    metadata = [{**METADATA[0], "words": ["w"] * 5, "offsets": range(5)}, METADATA[1]]
    outputs["logits"].data[1, 0, 3] = -20
    found = tagger.make_output_human_readable(outputs, metadata, ["marginals"])["marginals"]
    exact = tagger.distribution.marginals(outputs["logits"], outputs["mask"])
    assert [len(sentence) for sentence in found] == LENGTHS[:2] and "B-LOC" not in found[1][0]
    for row, sentence in enumerate(found):
        for place, word in enumerate(sentence):
            expected = zip(TAGS["BIO"], exact[row, place].tolist(), strict=True)
            assert word == pytest.approx({tag: p for tag, p in expected if p >= 1e-4}, abs=1e-6)


def test_tags_are_the_best_ones(encoded, mask):
    tagger = head()
    outputs = tagger(encoded, mask)
    assert "loss" not in outputs
    assert torch.equal(outputs["tags"], tagger.distribution.viterbi(outputs["logits"], mask)[0][:, 0])
    assert torch.equal(outputs["mask"], mask)


@pytest.mark.parametrize("coding_scheme", ["BIO", None])
def test_without_decoding_there_are_no_tags_and_no_scores(encoded, mask, gold, coding_scheme):
    tagger = head(coding_scheme)
    before = tagger.get_metrics()
    outputs = tagger(encoded, mask, gold, decode=False)
    assert outputs.keys() == {"logits", "mask", "loss"}
    assert tagger.get_metrics() == before


def test_constraints_hold_with_a_coding_scheme_only(encoded, mask):
    tags = {scheme: head(scheme)(50 * encoded, mask)["tags"][mask] for scheme in ("BIO", None)}
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
    with pytest.raises(ConfigurationError, match="viterbi"):
        head(distribution="viterbi")


@pytest.mark.parametrize("distribution", ["crf", "softmax"])
@pytest.mark.parametrize(
    "coding_scheme, favoured",
    [
        ("BIO", [["B-PER", "I-PER", "O"], ["B-LOC"]]),
        ("BIO", [["O", "B-PER", "B-LOC"], ["O"]]),
        ("BIOUL", [["B-PER", "L-PER", "U-LOC"], ["U-PER"]]),
        ("BIOUL", [["B-PER", "I-PER", "L-PER"], ["U-LOC"]]),
    ],
)
def test_entities_equal_enumeration(coding_scheme, favoured, distribution):
    tagger, names = head(coding_scheme, distribution=distribution), TAGS[coding_scheme]
    logits = torch.randn(2, 3, len(names), dtype=torch.float64)
    for row, tags in enumerate(favoured):
        for t, tag in enumerate(tags):
            logits[row, t, names.index(tag)] += 4.0
    mask = torch.tensor([[True, True, True], [True, False, False]])
    outputs = {"logits": logits, "mask": mask, "tags": tagger.distribution.viterbi(logits, mask)[0][:, 0]}
    readable = tagger.make_output_human_readable(outputs, METADATA)

    assert readable["words"] == [sentence["words"] for sentence in METADATA]
    assert readable["tags"] == favoured
    for row, (tags, sentence) in enumerate(zip(favoured, METADATA, strict=True)):
        n = len(tags)
        paths = list(itertools.product(range(len(names)), repeat=n))
        if distribution == "crf":
            # What decoding cannot give has no share in the probabilities.
            start, end, allowed = len(names), len(names) + 1, set(tagger.distribution.constraints)
            paths = [path for path in paths if allowed.issuperset(itertools.pairwise([start, *path, end]))]
        copies = logits[row : row + 1, :n].expand(len(paths), -1, -1)
        everywhere = torch.ones(len(paths), n, dtype=torch.bool)
        probabilities = tagger.distribution.log_likelihood(copies, torch.tensor(paths), everywhere).softmax(0).tolist()

        starts = [t for t, tag in enumerate(tags) if tag[0] in "BU"]
        assert len(readable["entities"][row]) == len(starts)
        for start, entity in zip(starts, readable["entities"][row], strict=True):
            label = tags[start][2:]
            end = next((t for t in range(start + 1, n) if tags[t][0] not in "IL"), n)
            expected = 0.0
            for path, probability in zip(paths, probabilities, strict=True):
                path = [names[tag] for tag in path]
                goes_on = coding_scheme == "BIO" and path[end : end + 1] == [f"I-{label}"]
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


def test_without_a_coding_scheme_there_are_no_entities():
    tagger = head(None)
    outputs = {"tags": torch.tensor([[1, 2, 0], [3, 0, 0]])}
    readable = tagger.make_output_human_readable(outputs, METADATA)
    assert readable.keys() == {"words", "tags"}
    assert readable["tags"] == [["B-PER", "I-PER", "O"], ["B-LOC"]]


def test_scores_of_the_positive_label():
    # Of two predicted B-PER one is right, of two gold ones one is found.
    tagger = head(None, positive_label="B-PER")
    scores = score(tagger, GOLD, PREDICTED)
    assert scores.keys() == {"accuracy", "precision", "recall", "f0.5"}
    assert (scores["precision"], scores["recall"]) == pytest.approx((1 / 2, 1 / 2))


def test_a_wrong_positive_label_is_an_error():
    with pytest.raises(ConfigurationError, match="found positive_label 'X', expected one of the tags: O, B-PER"):
        head(None, positive_label="X")
    with pytest.raises(
        ConfigurationError, match="found positive_label 'O' and the coding scheme BIO, expected one of them"
    ):
        head("BIO", positive_label="O")


def sequences(tagger, logits):
    """All tag sequences of a sentence (T, L) that can be decoded, and their probabilities, best first."""
    num_tags = logits.shape[1]
    paths = list(itertools.product(range(num_tags), repeat=len(logits)))
    if tagger.distribution.constraints is not None and isinstance(tagger.distribution, ConditionalRandomField):
        start, end, allowed = num_tags, num_tags + 1, set(tagger.distribution.constraints)
        paths = [path for path in paths if allowed.issuperset(itertools.pairwise([start, *path, end]))]
    mask = torch.ones(len(paths), len(logits), dtype=torch.bool)
    scores = tagger.distribution.path_score(logits.expand(len(paths), -1, -1), torch.tensor(paths), mask)
    return sorted(zip(scores.softmax(0).tolist(), paths, strict=True), reverse=True)


@pytest.mark.parametrize(
    "distribution",
    ["softmax", "crf", {"type": "crf", "constrain_partition": True, "include_start_end_transitions": False}],
    ids=["softmax", "crf", "constrained"],
)
@pytest.mark.parametrize("coding_scheme", ["BIO", "BIOUL", None])
@pytest.mark.parametrize("n_best", [1, 3, 40])
def test_n_best_equal_enumeration(coding_scheme, distribution, n_best):
    tagger, names = head(coding_scheme, distribution=distribution, n_best=n_best), TAGS[coding_scheme or "BIO"]
    torch.manual_seed(11)
    logits = 3 * torch.randn(2, 3, len(names), dtype=torch.float64)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    outputs = {"logits": logits, "mask": mask, "tags": tagger.distribution.viterbi(logits, mask)[0][:, 0]}
    readable = tagger.make_output_human_readable(outputs, METADATA, ["n_best", "something else"])
    assert "something else" not in readable
    for of_sentence, tags, row, length in zip(readable["n_best"], readable["tags"], logits, (3, 1), strict=True):
        expected = sequences(tagger, row[:length])[:n_best]
        assert [s["tags"] for s in of_sentence] == [[names[tag] for tag in path] for _, path in expected]
        probabilities = [s["probability"] for s in of_sentence]
        assert probabilities == pytest.approx([probability for probability, _ in expected], rel=1e-9)
        if len(of_sentence) < n_best:
            # These are all.
            assert sum(probabilities) == pytest.approx(1.0)
        assert of_sentence[0]["tags"] == tags
        for sequence in of_sentence:
            assert ("entities" in sequence) == (coding_scheme is not None)
            if coding_scheme is not None:
                entities = [Entity(**entity) for entity in sequence["entities"]]
                assert entities == tags_to_entities(sequence["tags"], coding_scheme)


def test_the_probability_of_an_entity_is_at_least_that_of_the_best_sequence_with_it(encoded, mask):
    tagger = head("BIO", n_best=1)
    metadata = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
    readable = tagger.make_output_human_readable(tagger(3 * encoded, mask), metadata, ["n_best"])
    assert any(readable["entities"])
    for (best,), entities in zip(readable["n_best"], readable["entities"], strict=True):
        assert best["entities"] == [{key: entity[key] for key in ("start", "end", "label")} for entity in entities]
        assert all(entity["probability"] >= best["probability"] * (1 - 1e-9) for entity in entities)


@pytest.mark.parametrize("coding_scheme", ["BIO", "BIOUL"])
@pytest.mark.parametrize("temperature", [1.0, 2.3])
def test_gold_entities_equal_enumeration(coding_scheme, temperature):
    tagger, names = head(coding_scheme, temperature=temperature), TAGS[coding_scheme]
    torch.manual_seed(11)
    logits, mask = (
        2 * torch.randn(2, 3, len(names), dtype=torch.float64),
        torch.tensor([[True] * 3, [True] + [False] * 2]),
    )
    outputs = {"logits": logits, "mask": mask, "tags": tagger.distribution.viterbi(logits, mask)[0][:, 0]}
    gold = ["B-PER", "I-PER", "O"] if coding_scheme == "BIO" else ["B-PER", "L-PER", "U-LOC"]
    metadata = [{**METADATA[0], "gold_tags": gold}, {**METADATA[1], "gold_tags": ["O"]}]
    readable = tagger.make_output_human_readable(outputs, metadata, ["gold_entities"])
    first, second = readable["gold_entities"]
    assert second == [] and [entity["text"] for entity in first] == ["Mara  Quill", "smiled"][: len(first)]
    for entity in first:
        start, end = entity["start"], entity["end"]
        tags = [names.index(tag) for tag in gold[start:end]]
        expected = sum(
            probability
            for probability, path in sequences(tagger, logits[0])
            if list(path[start:end]) == tags and (coding_scheme != "BIO" or path[end] != names.index("I-PER"))
        )
        assert entity["probability"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("scheme", ["BIO", "BIOUL", None])
def test_unknown_tags_count_as_missed_and_have_no_probability(scheme, encoded, mask):
    tagger, names = head(scheme).eval(), TAGS[scheme or "BIO"]
    gold = torch.zeros_like(mask, dtype=torch.long)
    without = tagger(encoded, mask, gold)["loss"]
    tagger.get_metrics(reset=True)
    # In a loss they are O.
    gold[0, 1:3] = torch.tensor([len(names), len(names) + 1])
    outputs = tagger(encoded, mask, gold)
    assert_close(outputs["loss"], without)
    assert not tagger.get_metrics().get("recall")
    if scheme is not None:
        words = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
        tags = [["O", "B-sea", "I-sea" if scheme == "BIO" else "L-sea", "O", "O"], ["O"], ["O"] * 3]
        metadata = [{**sentence, "gold_tags": row} for sentence, row in zip(words, tags, strict=True)]
        (entity,), _, _ = tagger.make_output_human_readable(outputs, metadata, ["gold_entities"])["gold_entities"]
        assert (entity["label"], entity["end"], entity["probability"]) == ("sea", 3, 0.0)


def test_gold_entities_need_gold_tags(encoded, mask):
    tagger = head()
    metadata = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
    with pytest.raises(ConfigurationError, match="found a sentence without gold tags, expected some: those of a file"):
        tagger.make_output_human_readable(tagger(encoded, mask), metadata, ["gold_entities"])


def test_logits_on_request(encoded, mask):
    tagger = head()
    outputs = tagger(encoded, mask)
    metadata = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
    assert "logits" not in tagger.make_output_human_readable(outputs, metadata)
    for n, row, logits in zip(
        LENGTHS,
        outputs["logits"],
        tagger.make_output_human_readable(outputs, metadata, ["logits"])["logits"],
        strict=True,
    ):
        assert logits == row[:n].tolist()


def test_no_sequence_at_all_is_an_error():
    with pytest.raises(ConfigurationError, match="found the n_best 0, expected at least 1"):
        head(n_best=0)


def test_options_of_the_distribution():
    distribution = head(
        distribution={"type": "crf", "constrain_partition": True, "include_start_end_transitions": False}
    ).distribution
    assert distribution.constrain_partition
    assert {name for name, _ in distribution.named_parameters()} == {"transitions"}


def test_hidden_layers(encoded, mask, gold):
    tagger = head(feedforward={"num_layers": 1, "hidden_dims": 3, "activations": "tanh"})
    hidden = tagger.feedforward(encoded)
    assert hidden.shape[-1] == 3
    assert_close(tagger(encoded, mask, gold)["logits"], tagger.tag_projection(hidden))
    with pytest.raises(ConfigurationError, match="input of feedforward"):
        head(feedforward={"input_dim": 6, "num_layers": 1, "hidden_dims": 3, "activations": "tanh"})


@pytest.mark.parametrize("coding_scheme", ["BIO", "BIOUL", None])
@pytest.mark.parametrize("temperature", [1.0, 2.5])
@pytest.mark.parametrize("n_best", [2, 400])
def test_sets_equal_enumeration(coding_scheme, temperature, n_best):
    tagger = head(coding_scheme, n_best=n_best, n_best_mass=0.6, temperature=temperature)
    names = TAGS[coding_scheme or "BIO"]
    torch.manual_seed(17)
    logits, mask = (
        2 * torch.randn(2, 3, len(names), dtype=torch.float64),
        torch.tensor([[True] * 3, [True, False, False]]),
    )
    outputs = {"logits": logits, "mask": mask, "tags": tagger.distribution.viterbi(logits, mask)[0][:, 0]}
    readable = tagger.make_output_human_readable(outputs, METADATA, ["n_best", "n_best_complete"])
    for row, length, found, complete in zip(
        logits, (3, 1), readable["n_best"], readable["n_best_complete"], strict=True
    ):
        expected, mass = [], 0.0
        for probability, path in sequences(tagger, row[:length]):
            expected.append([names[tag] for tag in path])
            mass += probability
            if mass > 0.6:
                break
        assert [sequence["tags"] for sequence in found] == expected[:n_best]
        assert complete == (len(expected) <= n_best)
    assert any(len(found) > 1 for found in readable["n_best"])


def test_a_set_of_all_sequences_is_complete():
    tagger = head("BIO", n_best=20, n_best_mass=2.0)
    logits, mask = torch.randn(2, 3, 5, dtype=torch.float64), torch.tensor([[True] * 3, [True, False, False]])
    outputs = {"logits": logits, "mask": mask, "tags": tagger.distribution.viterbi(logits, mask)[0][:, 0]}
    assert tagger.make_output_human_readable(outputs, METADATA, ["n_best_complete"])["n_best_complete"] == [False, True]


@pytest.mark.parametrize("distribution", ["crf", "softmax"])
@pytest.mark.parametrize("coding_scheme", ["BIO", "BIOUL"])
def test_improbable_entities_are_left_out_of_predictions_and_scores(coding_scheme, distribution, encoded, mask, gold):
    metadata = [{"words": ["w"] * n, "text": "w " * n, "offsets": range(0, 2 * n, 2)} for n in LENGTHS]
    tagger = head(coding_scheme, distribution=distribution)
    outputs = tagger(3 * encoded, mask, gold)
    before = tagger.make_output_human_readable(outputs, metadata)
    probabilities = [entity["probability"] for entities in before["entities"] for entity in entities]
    threshold = sorted(probabilities)[len(probabilities) // 2]
    scores = tagger.get_metrics(reset=True)
    tagger.min_probability = threshold * (1 - 1e-9)
    tagger(3 * encoded, mask, gold)
    after = tagger.make_output_human_readable(outputs, metadata)
    kept = [[entity for entity in entities if entity["probability"] >= threshold] for entities in before["entities"]]
    assert kept != before["entities"] and any(kept)
    for found, expected in zip(after["entities"], kept, strict=True):
        # Sums over other tags are rounded in another way.
        assert found == [{**entity, "probability": pytest.approx(entity["probability"])} for entity in expected]
    for tags, old_tags, entities in zip(after["tags"], before["tags"], kept, strict=True):
        inside = {word for entity in entities for word in range(entity["start"], entity["end"])}
        assert tags == [tag if word in inside else "O" for word, tag in enumerate(old_tags)]
    assert scores != tagger.get_metrics()


def test_leaving_out_needs_entities():
    with pytest.raises(ConfigurationError, match="found min_probability 0.5, expected tags that stand for entities"):
        head(None, min_probability=0.5)
