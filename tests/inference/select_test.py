import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.inference.select import select
from nerzoo.inference.sources import SourceItem
from nerzoo.inference.tagger import Tagger

TEXTS = [
    "Mara lived in Calder.",
    "Rain.",
    "Mara lived in Calder.",
    "Jordan Lindow and Austin went to Chelsea by train.",
    "mara lived in Calder .",
    "It rained in Calder, and Mara slept.",
]


def items(inputs):
    return [SourceItem(f"texts.txt:{number}", text) for number, text in enumerate(inputs, start=1)]


@pytest.fixture(scope="module")
def tagger(request):
    return Tagger.load(request.getfixturevalue("archives")("ner"))


@pytest.fixture(scope="module")
def expected(request):
    """Of each text both criteria, as `predict` gives them."""
    overrides = {"model.extra_outputs": ["least_confidence", "sequence_entropy"]}
    return list(
        Tagger.load(request.getfixturevalue("archives")("ner"), overrides=overrides)({"sentence": t} for t in TEXTS)
    )


@pytest.mark.parametrize("criterion", ["sequence_entropy", "least_confidence"])
@pytest.mark.parametrize("per_token", [False, True])
def test_the_highest_scores_first(tagger, expected, criterion, per_token):
    scores = []
    for prediction in expected:
        score, length = prediction[criterion], len(prediction["words"])
        if per_token:
            score = score / length if criterion == "sequence_entropy" else 1 - (1 - score) ** (1 / length)
        scores.append(score)
    selection = select(tagger, items(TEXTS), 4, criterion, per_token, max_similarity=1)
    found = selection.sentences
    assert [sentence["score"] for sentence in found] == pytest.approx(sorted(scores, reverse=True)[:4], rel=1e-4)
    for sentence in found:
        assert sentence["score"] == pytest.approx(scores[sentence["index"]], rel=1e-4)
        assert sentence["location"] == f"texts.txt:{sentence['index'] + 1}"
        assert sentence["words"] == expected[sentence["index"]]["words"]
        assert sentence["tags"] == expected[sentence["index"]]["tags"]
    assert (selection.num_sentences, selection.num_skipped) == (6, 0)


def test_similar_sentences_are_skipped(tagger):
    selection = select(tagger, items(TEXTS), 4)
    indices = {sentence["index"] for sentence in selection.sentences}
    assert len(indices & {0, 2, 4}) == 1 and {1, 3, 5} < indices
    assert selection.num_skipped <= 2
    with pytest.raises(ConfigurationError, match="found 6 sentences with words, of which 2 are too similar"):
        select(tagger, items(TEXTS), 5)


def test_too_few_sentences(tagger):
    with pytest.raises(ConfigurationError, match="found 2 sentences with words, expected 3 of them"):
        select(tagger, items(["Mara left.", " ", "Rain."]), 3)
    assert [s["words"] for s in select(tagger, items([" ", "Rain."]), 1).sentences] == [["Rain", "."]]


def test_errors_name_the_place(tagger):
    broken = [*items(["Mara left."]), SourceItem("texts.txt:2", {"wrong": 1}), *items(["Rain."])]
    with pytest.raises(ConfigurationError, match="^texts.txt:2: found the input"):
        select(tagger, broken, 1)
    broken[1] = SourceItem("texts.txt:2", ConfigurationError("no JSON"))
    with pytest.raises(ConfigurationError, match="texts.txt:2: no JSON"):
        select(tagger, broken, 1)

    def ends():
        yield from items(["Mara left."])
        raise ConfigurationError("texts.conllu:7: found nothing")

    with pytest.raises(ConfigurationError, match="texts.conllu:7"):
        select(tagger, ends(), 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "found the size 0"),
        ({"size": 1, "max_similarity": 1.1}, "the highest similarity 1.1"),
        ({"size": 1, "criterion": "margin"}, "found the criterion 'margin', expected 'sequence_entropy'"),
    ],
)
def test_options_out_of_range(tagger, options, message):
    with pytest.raises(ConfigurationError, match=message):
        select(tagger, items(TEXTS), **options)


@pytest.mark.parametrize("job", ["fofe_lm", "fofe_ner", "thread_structure"])
def test_models_without_a_tag_distribution(archives, job):
    with pytest.raises(ConfigurationError, match="found a model that is a .*, expected a tagger: it has"):
        select(Tagger.load(archives(job)), items(TEXTS), 1)


@pytest.mark.parametrize("job", ["ner", "memory_ner"])
def test_sentences_keep_the_id_of_their_document(archives, job):
    words = {"words": ["Rain"]}
    inputs = [{"doc_id": "a", "text": "Mara left. Jordan slept."}, {"doc_id": "b", **words}, {"text": "Jordan ate."}]
    if job == "memory_ner":
        inputs.append({"doc_id": "c", "sentences": [{"words": ["Mara", "sang"]}, {"words": ["Mara", "swam"]}]})
    expected = ["a", "a", "b", None, "c", "c"][: 4 if job == "ner" else 6]
    selection = select(Tagger.load(archives(job)), items(inputs), len(expected))
    found = {sentence["index"]: sentence.get("doc_id") for sentence in selection.sentences}
    assert [found[index] for index in range(len(expected))] == expected


@pytest.mark.parametrize("job", ["memory_ner", "seq2biseq"])
def test_sentences_of_documents_and_of_other_heads(archives, job):
    sentences = [{"words": text.split()} for text in TEXTS]
    inputs = [{"doc_id": "a", "sentences": sentences[:3]}, {"doc_id": "b", "sentences": sentences[3:]}]
    if job == "seq2biseq":
        inputs = sentences
    selection = select(Tagger.load(archives(job)), [SourceItem("x", part) for part in inputs], 3)
    assert selection.num_sentences == 6
    for sentence in selection.sentences:
        assert sentence["words"] == sentences[sentence["index"]]["words"] and sentence["score"] >= 0
