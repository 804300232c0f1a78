import itertools
import math
from collections import Counter

import pytest

from experiments.kneser_ney import main, perplexity

LINES = ("a b a </s>", "a a b c a </s>", "b a b b </s>", "c a b a b </s>", "a </s>", "c </s>", "a b c c </s>")
TRAIN = [line.split() for line in LINES]
WORDS = ["a", "b", "c", "</s>"]


def counts(size, order):
    """Counts of n-grams that end at a word: how often they occur, or if shorter than `order`, after how many words."""
    padded = [["<s>"] * order + sentence for sentence in TRAIN]
    ends = [(words, end) for words in padded for end in range(order + 1, len(words) + 1)]
    if size == order:
        return Counter(tuple(words[end - size : end]) for words, end in ends)
    return Counter(gram[1:] for gram in {tuple(words[end - size - 1 : end]) for words, end in ends})


def probability(gram, order):
    """The recursion of Chen and Goodman (1999) for the last word of an n-gram."""
    if not gram:
        return 1 / len(WORDS)
    of_size = counts(len(gram), order)
    n1, n2, n3, n4 = (sum(count == n for count in of_size.values()) for n in (1, 2, 3, 4))
    y = n1 / (n1 + 2 * n2) if n1 + n2 else 0
    ratios = {1: (n2, n1), 2: (n3, n2), 3: (n4, n3)}
    discounts = {n: max(n - (n + 1) * y * more / fewer, 0) if fewer else n for n, (more, fewer) in ratios.items()}
    after = {word: of_size[(*gram[:-1], word)] for word in WORDS}
    total = sum(after.values())
    shorter = probability(gram[1:], order)
    if not total:
        return shorter
    kinds = Counter(min(count, 3) for count in after.values() if count)
    weight = sum(discounts[count] * kinds[count] for count in kinds) / total
    count = after[gram[-1]]
    return (count - discounts[min(count, 3)] if count else 0) / total + weight * shorter


@pytest.mark.parametrize("order", [1, 2, 3])
def test_perplexity_agrees_with_the_recursion(order):
    test = [["a", "b", "c", "a", "</s>"], ["</s>"], ["c", "c", "b", "</s>"]]
    padded = [["<s>"] * (order - 1) + sentence for sentence in test]
    grams = [tuple(words[start : start + order]) for words in padded for start in range(len(words) - order + 1)]
    expected = math.exp(-sum(math.log(probability(gram, order)) for gram in grams) / len(grams))
    assert perplexity(TRAIN, test, order, len(WORDS)) == pytest.approx(expected)


@pytest.mark.parametrize("order", [1, 3, 5])
def test_probabilities_of_all_words_add_up_to_one(order):
    for length in (0, 1, 2):
        sentences = itertools.product(WORDS, repeat=length + 1)
        likelihoods = [perplexity(TRAIN, [[*words]], order, len(WORDS)) ** -len(words) for words in sentences]
        assert sum(likelihoods) == pytest.approx(1)


def test_reads_what_a_configuration_reads(capsys, tmp_path, monkeypatch):
    text = "\n".join(line.removesuffix(" </s>") for line in LINES)
    for part in ("train", "valid", "test"):
        (tmp_path / f"ptb.{part}.txt").write_text(text + (" d" if part == "test" else "") + "\n")
    monkeypatch.setenv("PTB", str(tmp_path))
    main(["fofe_lm/paper", "--orders", "2"])
    test = [*TRAIN[:-1], ["a", "b", "c", "c", "<unk>", "</s>"]]
    assert capsys.readouterr().out == f"2-grams {perplexity(TRAIN, test, 2, 5):.2f}\n"
