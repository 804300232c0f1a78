import random

import pytest

from nerzoo.inference.sentence_index import DistinctSentences, SentenceIndex


def jaccard(first, second):
    first, second = ({word.lower() for word in words} for words in (first, second))
    return len(first & second) / len(first | second)


@pytest.mark.parametrize("min_similarity", [0.0, 0.25, 1 / 3, 0.5, 0.6, 0.8, 1.0])
def test_finds_all_that_are_as_similar(min_similarity):
    chance = random.Random(7)
    vocabulary = ["a", "b", "to", "In", "in", "Mara", "left", "Calder", "travelled"]
    sentences = [chance.choices(vocabulary, k=chance.randint(1, 10)) for _ in range(200)]
    index = SentenceIndex(min_similarity)
    for words in sentences:
        index.add(words)
    for words in sentences[:50]:
        found = dict(index.similar(words))
        for number, other in enumerate(sentences):
            if jaccard(words, other) >= max(min_similarity, 1e-9):
                assert found[number] == pytest.approx(jaccard(words, other))
        assert all(similarity == pytest.approx(jaccard(words, sentences[at])) for at, similarity in found.items())


def test_nothing_is_similar_to_nothing():
    index = SentenceIndex(0.8)
    assert list(index.similar(["Mara"])) == []
    index.add(["Calder"])
    assert list(index.similar(["Mara"])) == []


@pytest.mark.parametrize("max_similarity", [0.0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
def test_equals_the_comparison_of_all_with_all(max_similarity):
    chance = random.Random(7)
    vocabulary = ["a", "b", "to", "In", "in", "Mara", "left", "Calder", "travelled"]
    distinct, added = DistinctSentences(max_similarity), []
    for _ in range(400):
        words = chance.choices(vocabulary, k=chance.randint(1, 10))
        is_new = all(jaccard(words, other) <= max_similarity for other in added)
        assert distinct.add(words) == is_new
        if is_new:
            added.append(words)


def test_case_and_order_do_not_matter():
    distinct = DistinctSentences(0.9)
    assert distinct.add(["Mara", "left", "."])
    assert not distinct.add(["LEFT", "mara", ".", "."])
    assert distinct.add(["Mara", "left"])


def test_one_lets_all_in():
    distinct = DistinctSentences(1.0)
    assert distinct.add(["Mara"]) and distinct.add(["Mara"])
