"""What `allennlp train` and `evaluate` say to files and configurations that are wrong, and to odd ones that are not."""

import json
import re

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp, train
from helpers.paths import FIXTURES

TEST_FILE = FIXTURES / "people_and_places/test.conllu"


def word(id, form="Ada", head="0", deprel="root", entity="_"):
    return "\t".join([id, form, "_", "PROPN", "NNP", "_", head, deprel, "_", entity])


PERSON = "Entity=(1-person-new-nnnnn-cf1-1-coref)"
GOOD = [word("1", entity=PERSON), word("2", "smiled", head="1")]


@pytest.mark.parametrize(
    ("lines", "place", "found", "expected"),
    [
        ([word("1"), "2\tsmiled\t_"], 3, "3 columns", "10"),
        ([word("1").removesuffix("\t_")], 2, "9 columns", "10, separated by tabs"),
        ([word("1", head="2"), word("2", head="1"), word("3")], 2, "the cycle of heads 1 -> 2 -> 1", "a tree"),
        ([word("1"), word("2", head="3")], 3, "the head 3", "an integer from 0 to 2"),
        ([word("1", head="2"), word("2", head="1")], 2, "a sentence without a root", "at least one head of 0"),
        ([word("1", entity=PERSON.removesuffix(")"))], 2, "the opening bracket '(1-person", "a closing one"),
        ([word("1", entity="Entity=1)")], 2, "the closing bracket '1)'", "an opening one"),
        ([word("1", "\udcff")], 2, "the byte 0xff as byte 3 of the line", "UTF-8"),
    ],
    ids=["ragged", "nine columns", "cycle", "head out of range", "no root", "unclosed", "unopened", "not UTF-8"],
)
def test_training_on_a_malformed_file_names_the_line(tmp_path, lines, place, found, expected):
    file = write(tmp_path, "# sent_id = s1", *lines)
    pattern = rf"{re.escape(str(file))}:{place}\b.*: found .*{re.escape(found)}.*, expected {re.escape(expected)}"
    with pytest.raises(ConfigurationError, match=pattern):
        train(tmp_path / "run", train_data_path=str(file))


@pytest.mark.parametrize("lines", [[], ["", ""], ["# newdoc id = nothing", ""]])
def test_training_on_an_empty_file_names_it(tmp_path, lines):
    file = write(tmp_path, *lines)
    with pytest.raises(ConfigurationError, match=f"{file}.*found (no|a) sentence.*, expected at least one"):
        train(tmp_path / "run", train_data_path=str(file))


def test_training_on_a_missing_file_names_it(tmp_path):
    with pytest.raises(ConfigurationError, match="no_such_file.conllu: found no such file"):
        train(tmp_path / "run", train_data_path=str(tmp_path / "no_such_file.conllu"))


def test_evaluation_on_an_unseen_label_counts_it_as_missed_and_names_the_sentence(evaluate, tmp_path, caplog):
    file = write(tmp_path, "# sent_id = s1", *GOOD, "", "# sent_id = s2", word("1", entity=PERSON.replace("per", "po")))
    assert evaluate(file)["recall"] <= 0.5
    (message,) = caplog.messages
    assert "(sentence s2): found the tag 'U-poson'" in message and "U-person" in message


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ({"model.encoder.semantic.0.input_size": 7}, "input size of semantic"),
        ({"model.encoder.syntactic.0.hidden_size": 7}, "input size of syntactic"),
        ({"model.encoder.relative_attention.input_size": 7}, "input size of relative_attention"),
        ({"model.encoder.global_attention.query_size": 7}, "query size of global_attention"),
        ({"model.text_field_embedder.token_embedders.pos.embedding_dim": 7}, "size of the embedded words"),
        (
            {"model.head": {"distribution": "no_such"}},
            "found model.head.distribution = 'no_such', expected one of crf, softmax",
        ),
        ({"model.head": "no_such"}, "found model.head = 'no_such', expected one of projection, seq2biseq"),
        (
            {"model.extra_outputs": ["no_such"]},
            "'no_such', expected one of sequence_entropy, .*, marginals, gold_entities, logits, n_best, attention; ",
        ),
        ({"dataset_reader.coding_scheme": "no_such"}, "found the coding scheme 'no_such', expected one of BIO"),
        ({"dataset_reader.layer": "no_such"}, "found the layer 'no_such', expected 'outermost' or 'innermost'"),
        ({"dataset_reader.corpus.coding_scheme": "no_such"}, "found the coding scheme 'no_such', expected one of BIO"),
        (
            {"dataset_reader.corpus.type": "no_such"},
            "found dataset_reader.corpus.type = 'no_such', expected one of brat",
        ),
        (
            {"dataset_reader.coding_scheme": "IOB1"},
            "coding_scheme of the reader must be BIO or BIOUL, found 'IOB1'",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_training_with_a_wrong_configuration_names_what_is_wrong(tmp_path, override, message):
    with pytest.raises(ConfigurationError, match=message):
        train(tmp_path / "run", **override)


def test_several_roots_and_a_file_of_one_word_are_fine(evaluate, tmp_path):
    assert evaluate(write(tmp_path, word("1"), word("2"))).keys() == evaluate(TEST_FILE).keys()
    assert evaluate(write(tmp_path, word("1")))["accuracy"] in (0.0, 1.0)


def test_windows_line_ends_change_nothing(evaluate, tmp_path):
    windows = tmp_path / "windows.conllu"
    windows.write_bytes(TEST_FILE.read_bytes().replace(b"\n", b"\r\n"))
    assert evaluate(windows) == evaluate(TEST_FILE)


@pytest.fixture
def evaluate(deptree_ner, tmp_path):
    def run(file):
        output = tmp_path / "scores.json"
        allennlp("evaluate", deptree_ner / "model.tar.gz", file, "--output-file", output)
        return json.loads(output.read_text())

    return run


def write(tmp_path, *lines):
    file = tmp_path / "file.conllu"
    file.write_text("".join(line + "\n" for line in lines), errors="surrogateescape")
    return file
