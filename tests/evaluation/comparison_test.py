"""Comparison of predictions written as `allennlp predict` writes them, and what is wrong input to it."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.two_systems import FIRST, GOLD, SECOND, WORDS, predictions, write, write_systems

from nerzoo.evaluation.significance import compare
from nerzoo.text.annotation import tags_to_entities

READER = {"type": "tagged_sentences", "corpus": {"type": "columns"}, "coding_scheme": "BIO"}


@pytest.fixture
def systems(tmp_path):
    return write_systems(tmp_path)


@pytest.fixture
def gold(tmp_path):
    """The arguments for a file with the gold tags."""
    rows = [zip(words, tags, strict=True) for words, tags in zip(WORDS, GOLD, strict=True)]
    path = tmp_path / "gold.txt"
    path.write_text("-DOCSTART-\n" + "\n".join("".join(f"{word} {tag}\n" for word, tag in row) for row in rows))

    def arguments(reader=READER):
        config = tmp_path / "config.json"
        config.write_text(json.dumps({"dataset_reader": reader}))
        return {"gold_file": str(path), "config_file": str(config)}

    return arguments


@pytest.mark.parametrize(
    "metric, second",
    [
        # One of four found is one of three gold.
        ("f1", 2 * 1 / (4 + 3)),
        ("accuracy", 5 / 9),
        # One insertion, one substitution.
        ("cer", 2 / 3),
    ],
)
def test_scores(systems, metric, second):
    summary = compare(*systems, metric)
    first = 0.0 if metric == "cer" else 1.0
    assert (summary["first"]["files"], summary["first"]["score"]) == ([systems[0]], first)
    assert (summary["first"]["scores"], summary["first"]["standard_deviation"]) == ([first], None)
    assert (summary["second"]["files"], summary["second"]["score"]) == ([systems[1]], pytest.approx(second))
    assert summary["difference"]["score"] == pytest.approx(first - second)
    assert (summary["metric"], summary["num_sentences"]) == (metric, 3)


def test_intervals_are_around_the_scores(systems):
    # The first system has no error in any sentence.
    summary = compare(*systems, "accuracy")
    low, high = summary["second"]["confidence_interval"]
    assert low < 5 / 9 < high
    assert summary["first"]["confidence_interval"] == (1.0, 1.0)
    assert summary["difference"]["confidence_interval"] == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("sclite_weights, second", [(False, 5 / 10), (True, 6 / 10)])
def test_weights_of_sclite(tmp_path, sclite_weights, second):
    words = [list("fghij"), list("klmno")]
    gold = [[f"B-{concept}" for concept in "abcde"]] * 2
    first = write(tmp_path / "a.jsonl", predictions(gold, gold, words))
    # Five substitutions or, with the weights, three insertions and three deletions, which cost 18 rather than 20.
    moved = write(tmp_path / "b.jsonl", predictions([[f"B-{concept}" for concept in "xyzab"], gold[1]], gold, words))
    summary = compare(first, moved, "cer", sclite_weights=sclite_weights)
    assert summary["second"]["score"] == second


def test_p_value_by_hand(systems):
    # Of the eight ways to swap, only none and all make as much of a difference as there is.
    assert compare(*systems, "accuracy")["p_value"] == pytest.approx(0.25)


def test_a_single_resample_will_do(systems):
    assert compare(*systems, num_resamples=1)["p_value"] in (0.5, 1.0)


def test_several_runs_of_a_system(systems, tmp_path):
    worse = write(tmp_path / "worse.jsonl", predictions(SECOND, without=("gold_tags",)))
    summary = compare([systems[0], worse], systems[1], "accuracy")
    assert summary["first"]["files"] == [systems[0], worse]
    assert summary["first"]["scores"] == pytest.approx([1, 5 / 9])
    assert summary["first"]["score"] == pytest.approx(7 / 9)
    assert summary["first"]["standard_deviation"] == pytest.approx(4 / 9 / 2**0.5)
    assert summary["difference"]["score"] == pytest.approx(2 / 9)
    assert summary["second"]["standard_deviation"] is None


def test_runs_are_of_the_same_sentences_and_gold_tags(systems, tmp_path):
    other = write(tmp_path / "other.jsonl", [*ROWS[:2], {**ROWS[2], "gold_tags": ["O"] * 4}])
    short = write(tmp_path / "short.jsonl", ROWS[:2])
    with pytest.raises(ConfigurationError, match="other.jsonl:3: found the gold annotation .*expected .* as in .*a.j"):
        compare([systems[0], other], [systems[1]])
    with pytest.raises(ConfigurationError, match="short.jsonl: found 2 sentences, expected 3 as in .*a.jsonl"):
        compare([systems[0]], [systems[1], short])
    with pytest.raises(ConfigurationError, match="found .*b.jsonl twice for a system, expected the predictions of ea"):
        compare([systems[0]], [systems[1], systems[1]])
    with pytest.raises(ConfigurationError, match="found no file for a system"):
        compare([systems[0]], [])


@pytest.mark.parametrize("reader", ["tagged_sentences", "tagged_documents", "entity_spans"])
def test_gold_from_a_file(systems, gold, reader):
    config = {"type": reader, "corpus": {"type": "columns"}}
    for metric in ("f1", "cer"):
        assert compare(*systems, metric, **gold(config))["second"] == compare(*systems, metric)["second"]


def test_gold_tags_from_a_file(systems, gold):
    assert compare(*systems, "accuracy", **gold())["second"] == compare(*systems, "accuracy")["second"]
    with pytest.raises(ConfigurationError, match="gold.txt, sentence 1: found no tags, expected a dataset reader in"):
        compare(*systems, "accuracy", **gold({"type": "entity_spans", "corpus": {"type": "columns"}}))


def test_predictions_without_tags(systems, gold, tmp_path):
    """Those of fofe_ner."""
    path = write(tmp_path / "fofe.jsonl", predictions(SECOND, without=("tags", "gold_tags")))
    expected = compare(*systems)["second"]["score"]
    # The other system's gold tags will do.
    assert compare(systems[0], path)["second"]["score"] == expected
    assert compare(path, path, **gold())["second"]["score"] == expected
    with pytest.raises(
        ConfigurationError, match="fofe.jsonl:1: found no gold annotation, and none in .*expected gold_tags, gold_en"
    ):
        compare(path, path)
    with pytest.raises(ConfigurationError, match="fofe.jsonl:1: found no tags, expected predictions with tags"):
        compare(systems[0], path, "accuracy")


def test_gold_entities_in_predictions(systems, tmp_path):
    """Those of fofe_ner, which may be nested."""
    lines = list(predictions(SECOND, without=("tags", "gold_tags")))
    for line, tags in zip(lines, GOLD, strict=True):
        line["gold_entities"] = [entity._asdict() for entity in tags_to_entities(tags, "BIO")]
    path = write(tmp_path / "fofe.jsonl", lines)
    assert compare(path, path)["first"]["score"] == compare(*systems)["second"]["score"]
    assert compare(path, systems[0])["second"]["score"] == 1.0
    lines[0]["gold_entities"].append({"start": 2, "end": 3, "label": "port"})
    write(tmp_path / "fofe.jsonl", lines)
    assert compare(path, path)["first"]["score"] == 2 * 1 / (4 + 4)
    with pytest.raises(ConfigurationError, match="a.jsonl:1: found the gold annotation .*port.* as in .*fofe.jsonl:1"):
        compare(path, systems[0])


def test_predictions_without_entities(systems, tmp_path):
    path = write(tmp_path / "pos.jsonl", predictions(SECOND, without=("entities",)))
    assert compare(systems[0], path, "accuracy")["second"]["score"] == pytest.approx(5 / 9)
    with pytest.raises(ConfigurationError, match="pos.jsonl:1: found no entities"):
        compare(systems[0], path, "cer")


def test_gold_tags_of_two_schemes_stand_for_the_same_entities(systems, tmp_path):
    bioul = [["O", "O", "B-city", "L-city"], ["O"], ["B-nights", "L-nights", "O", "U-city"]]
    path = write(tmp_path / "bioul.jsonl", predictions(bioul, gold=bioul))
    assert compare(systems[0], path)["difference"]["score"] == 0.0
    with pytest.raises(
        ConfigurationError, match="bioul.jsonl:1: found the gold annotation .*L-city.*I-city.* as in .*:1"
    ):
        compare(systems[0], path, "accuracy")


ACTS = [["ask", "answer", "thanks"], ["ask", "answer"]]
LINKS = [[None, "a", "b"], [None, "a"]]
# The second post of the second thread answers two posts, in two ways.
GOLD_LINKS = [
    [[(None, "ask")], [("a", "answer")], [("a", "thanks")]],
    [[(None, "ask")], [("a", "add"), (None, "answer")]],
]


def threads(links, acts, gold=GOLD_LINKS):
    for number, (targets, of_thread) in enumerate(zip(links, acts, strict=True)):
        posts = [
            {"id": id, "link": link, "act": act, "link_probability": 0.5}
            for id, link, act in zip("abc", targets, of_thread, strict=False)
        ]
        if gold:
            for post, truth in zip(posts, gold[number], strict=True):
                post["gold_links"] = [{"to": target, "act": act} for target, act in truth]
        yield {"id": str(number), "posts": posts}


@pytest.fixture
def two_threads(tmp_path):
    all_ask = [["ask"] * len(acts) for acts in ACTS]
    right = [[None, "a", "a"], [None, "a"]], [["ask", "answer", "thanks"], ["ask", "add"]]
    return [
        write(tmp_path / "right.jsonl", threads(*right)),
        write(tmp_path / "last.jsonl", threads(LINKS, ACTS)),
        write(tmp_path / "ask.jsonl", threads(LINKS, all_ask)),
    ]


@pytest.mark.parametrize(
    "metric, right, last, ask",
    [
        # Of five posts and six links.
        ("link_f1", 10 / 11, 8 / 11, 8 / 11),
        ("act_f1", 10 / 11, 10 / 11, 4 / 11),
        ("joint_f1", 10 / 11, 6 / 11, 4 / 11),
    ],
)
def test_threads(two_threads, metric, right, last, ask):
    summary = compare(*two_threads[:2], metric)
    assert (summary["first"]["score"], summary["second"]["score"]) == (pytest.approx(right), pytest.approx(last))
    assert compare(two_threads[0], two_threads[2], metric)["second"]["score"] == pytest.approx(ask)
    assert summary["num_sentences"] == 2


def test_gold_links_from_a_file(two_threads, tmp_path):
    file = tmp_path / "threads.jsonl"
    posts = [
        {"id": id, "author": "ann", "text": "Hello", "links": [{"to": to, "act": act} for to, act in links]}
        for id, links in zip("abc", GOLD_LINKS[0], strict=True)
    ]
    write(file, [{"id": "0", "posts": posts}, {"id": "1", "posts": posts}])
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"dataset_reader": {"type": "reply_threads"}}))
    path = write(tmp_path / "same.jsonl", threads([LINKS[0]] * 2, [ACTS[0]] * 2, gold=None))
    summary = compare(path, path, "joint_f1", str(file), str(config))
    assert summary["first"]["score"] == pytest.approx(2 / 3)
    with pytest.raises(ConfigurationError, match="same.jsonl:1: found no gold annotation, and none in .*same.jsonl:1"):
        compare(path, path, "joint_f1")
    unlinked = [{name: value for name, value in post.items() if name != "links"} for post in posts]
    write(file, [{"id": "0", "posts": unlinked}])
    with pytest.raises(ConfigurationError, match="threads.jsonl, thread 1: found no links, expected a dataset reader"):
        compare(path, path, "joint_f1", str(file), str(config))


@pytest.mark.parametrize(
    "thread, message",
    [
        ({"words": ["a"]}, "c.jsonl:1: found no posts, expected those of a thread"),
        ({"posts": []}, "c.jsonl:1: found no posts, expected those of a thread"),
        ({"posts": [{"id": "a", "act": "ask"}]}, "c.jsonl:1: found the post .*, expected an object with id, link, act"),
        (
            {"posts": [{"id": "a", "link": None, "act": "ask", "gold_links": [{"to": "b"}]}]},
            "c.jsonl:1: found the link {'to': 'b'}, expected an object with to, act",
        ),
        (
            {"posts": [{"id": "a", "link": None, "act": "ask", "gold_links": True}]},
            "c.jsonl:1: found the gold_links True, expected a list",
        ),
        ({"posts": [{"id": "a", "context": True}]}, "c.jsonl:1: found no posts, expected those of a thread"),
    ],
)
def test_bad_predictions_for_threads(two_threads, tmp_path, thread, message):
    with pytest.raises(ConfigurationError, match=message):
        compare(two_threads[0], write(tmp_path / "c.jsonl", [thread]), "joint_f1")


ROWS = list(predictions(SECOND))


@pytest.mark.parametrize(
    "lines, message",
    [
        (ROWS[:2], "c.jsonl: found 2 sentences, expected 3 as in .*a.jsonl"),
        ([*ROWS, ROWS[0]], "c.jsonl: found 4 sentences, expected 3 as in .*a.jsonl"),
        (
            [ROWS[0], ROWS[2], ROWS[1]],
            "c.jsonl:2: found 'two nights in varda', expected 'yes' as in .*a.jsonl:2: the same",
        ),
        ([], "c.jsonl: found 0 sentences"),
        ([ROWS[0], {"words": []}, ROWS[2]], "c.jsonl:2: found no entities"),
        (
            [ROWS[0], {"words": [], "entities": []}, ROWS[2]],
            r"c.jsonl:2: found the words \[\], expected a list of at least",
        ),
        ([{**ROWS[0], "gold_tags": ["O"]}, *ROWS[1:]], "c.jsonl:1: found the tags .*, expected a list of 4"),
        ([{**ROWS[0], "entities": [{"start": 4, "end": 5, "label": "x"}]}, *ROWS[1:]], "c.jsonl:1: found the entity"),
        ([{**ROWS[0], "gold_tags": ["O"] * 4}, *ROWS[1:]], "c.jsonl:1: found the gold annotation"),
        (["words"], "c.jsonl:1: found 'words', expected a JSON object"),
    ],
)
def test_bad_predictions(systems, tmp_path, lines, message):
    lines = [json.loads(json.dumps(line)) for line in lines]
    with pytest.raises(ConfigurationError, match=message):
        compare(systems[0], write(tmp_path / "c.jsonl", lines))


def test_gold_of_other_sentences(systems, gold, tmp_path):
    arguments = gold()
    with open(arguments["gold_file"], "a") as file:
        file.write("\nno O\n")
    with pytest.raises(ConfigurationError, match="a.jsonl: found 3 sentences, expected 4 as in .*gold.txt"):
        compare(*systems, **arguments)


def test_resampling_documents(tmp_path):
    def files(documents):
        systems = [predictions(tags) for tags in (FIRST, SECOND)]
        named = [[{**row, "doc_id": id} for row, id in zip(rows, documents, strict=True)] for rows in systems]
        return [write(tmp_path / f"{name}.jsonl", rows) for name, rows in zip("ab", named, strict=True)]

    # Two documents can be swapped in four ways, the extreme two of which are as far from zero as the difference; with
    # the first and the third sentence in one document, the counts of these two stay together.
    summary = compare(*files(["d", "e", "d"]), by_document=True)
    assert (summary["num_sentences"], summary["num_documents"], summary["p_value"]) == (3, 2, 0.5)
    assert compare(*files(["d", "e", "f"]), by_document=True) == {
        **compare(*files(["d", "e", "f"])),
        "num_documents": 3,
    }
    with pytest.raises(ConfigurationError, match="a.jsonl: found 1 documents, expected at least 2"):
        compare(*files("ddd"), by_document=True)
    with pytest.raises(ConfigurationError, match="found no document, expected a doc_id"):
        compare(*files(["d", None, "e"]), by_document=True)


def test_wrong_arguments(systems, gold, tmp_path):
    with pytest.raises(ConfigurationError, match="found one of --gold and --config, expected both or neither"):
        compare(*systems, gold_file="gold.txt")
    with pytest.raises(ConfigurationError, match="found --num-resamples 0, expected at least 1"):
        compare(*systems, num_resamples=0)
    with pytest.raises(ConfigurationError, match="found --sclite-weights and --metric f1, expected --metric cer"):
        compare(*systems, sclite_weights=True)
    one = write(tmp_path / "one.jsonl", ROWS[:1])
    with pytest.raises(ConfigurationError, match="one.jsonl: found 1 sentences, expected at least 2"):
        compare(one, one)
