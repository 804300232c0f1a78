import json
import sys
from itertools import permutations

import numpy
import pytest
from allennlp.common.checks import ConfigurationError

from experiments.alternative_boundaries import (
    count_mentions,
    main,
    predicted_mentions,
    read_mentions,
    read_sentences,
)
from nerzoo.text.matching import MatchCounts

SENTENCES = "S1 The ANS-4 gene of mice.\nS2 No gene here\nS3 No gene here\nS4 Two: abc1 and abc2 kinase\n"
GOLD = "S1|3 11|ANS-4 gene\nS4|4 7|abc1\nS4|11 20|abc2 kinase\n"
ALTERNATIVES = "S1|3 7|ANS-4\nS4|4 20|abc1 and abc2 kinase\nS4|11 14|abc2\n"


def prediction(text, *entities):
    return {"words": text.split(), "entities": [{"start": start, "end": end} for start, end in entities]}


PREDICTIONS = [
    # Words may be divided otherwise, and sentences, too.
    prediction("The ANS - 4", (1, 4)),
    prediction("gene of mice ."),
    prediction("No gene here", (1, 2)),
    prediction("No gene here"),
    prediction("Two : abc1 and abc2 kinase", (2, 3), (4, 5)),
]


@pytest.fixture
def files(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def counts(files, predictions=PREDICTIONS, gold=GOLD, alternatives=ALTERNATIVES):
    found = predicted_mentions(predictions, read_sentences(files("test.in", SENTENCES)), "p.jsonl")
    return count_mentions(
        found, read_mentions(files("GENE.eval", gold)), read_mentions(files("ALTGENE.eval", alternatives))
    )


def test_alternatives_count_next_to_exact_boundaries(files):
    assert counts(files) == {
        # abc1
        "exact": MatchCounts(1, 4, 3, 1),
        # ANS-4 and abc2, too
        "alternative": MatchCounts(3, 4, 3, 3),
    }


def test_a_gold_mention_is_found_once(files):
    twice = [
        *PREDICTIONS[:4],
        # Gold, and an alternative of the same mention.
        prediction("Two : abc1 and abc2 kinase", (4, 6), (4, 5)),
    ]
    assert counts(files, twice)["alternative"] == MatchCounts(2, 4, 3, 2)
    # An alternative of both mentions is one of them.
    both = [*PREDICTIONS[:4], prediction("Two : abc1 and abc2 kinase", (2, 6))]
    assert counts(files, both)["alternative"] == MatchCounts(2, 3, 3, 2)
    # It does not take the place of the mention that has its exact boundaries.
    three = [*PREDICTIONS[:4], prediction("Two : abc1 and abc2 kinase", (2, 6), (2, 3))]
    assert counts(files, three)["alternative"] == MatchCounts(3, 4, 3, 3)


@pytest.mark.parametrize("seed", range(5))
def test_the_most_mentions_that_can_be_found_are(seed):
    rng = numpy.random.default_rng(seed)

    def spans(number):
        pairs = rng.integers([0, 0], [12, 5], (number, 2)).tolist()
        return {(start, start + length) for start, length in pairs}

    gold, found, allowed = spans(4), sorted(spans(5)), spans(8)
    allowed |= set(found[:2])

    def matches(span, mention):
        return span == mention or (span in allowed and not (span[1] < mention[0] or mention[1] < span[0]))

    slots = [*gold, *[None] * len(found)]
    best = max(
        sum(mention is not None and matches(span, mention) for span, mention in zip(found, order, strict=True))
        for order in permutations(slots, len(found))
    )
    result = count_mentions({"S": set(found)}, {"S": gold}, {"S": allowed})
    assert result["alternative"] == MatchCounts(best, len(found), len(gold), best)


def test_the_command_prints_both(files, monkeypatch, capsys):
    path = files("p.jsonl", "".join(json.dumps(line) + "\n" for line in PREDICTIONS))
    arguments = [
        *("--sentences", files("test.in", SENTENCES)),
        *("--gold", files("GENE.eval", GOLD)),
        *("--alternatives", files("ALTGENE.eval", ALTERNATIVES)),
    ]
    monkeypatch.setattr(sys, "argv", ["alternative_boundaries", str(path), *map(str, arguments)])
    main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [
        ["exact", "3", "0.2500", "0.3333", "0.2857"],
        ["alternative", "3", "0.7500", "1.0000", "0.8571"],
    ]
    files("GENE.eval", GOLD + "S9|0 1|ab\n")
    with pytest.raises(ConfigurationError, match="GENE.eval: found the sentence S9, expected those of .*test.in"):
        main()


@pytest.mark.parametrize(
    "line, message",
    [
        ("S1|3 11", "GENE.eval:2: found .S1.3 11., expected id.start end.text"),
        ("S1|a 11|ANS-4 gene", "GENE.eval:2: found .*, expected id.start end.text"),
        ("S1|3|ANS", "GENE.eval:2: found .*, expected id.start end.text"),
        ("S1|3 12|ANS-4 gene", "GENE.eval:2: found 3 12, expected an end of 11, since the text has 9 characters"),
    ],
)
def test_bad_mentions(files, line, message):
    with pytest.raises(ConfigurationError, match=message):
        read_mentions(files("GENE.eval", f"S1|0 2|The\n{line}\n"))


def test_bad_sentences(files):
    with pytest.raises(ConfigurationError, match="test.in:2: found .S2., expected an id, a space and a sentence"):
        read_sentences(files("test.in", "S1 The\nS2\n"))


@pytest.mark.parametrize(
    "predictions, message",
    [
        (PREDICTIONS[:4], "p.jsonl: found no predictions for S4, expected some for every sentence"),
        (PREDICTIONS[:1] * 2, "p.jsonl, line 2: found the text .TheANS-4TheANS-4., without spaces, expected that of a"),
        ([*PREDICTIONS, PREDICTIONS[2]], "p.jsonl, line 6: found the text .Nogenehere."),
        ([prediction("zebra")], "p.jsonl, line 1: found the text .zebra."),
    ],
)
def test_predictions_for_other_sentences(files, predictions, message):
    with pytest.raises(ConfigurationError, match=message):
        counts(files, predictions)
