"""The text of formats with a word a line, and of JSON lines, to the last character."""

import json

import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.formats.columns import ColumnsWriter
from nerzoo.formats.conllu import ConlluCorpus, ConlluWriter
from nerzoo.formats.jsonl import JsonlCorpus, JsonlWriter
from nerzoo.text.annotation import Document, Entity, Sentence

NESTED = Sentence(
    ["Port", "of", "Oslo", "."],
    pos=["NN", "IN", "NNP", "."],
    heads=[0, 3, 1, 1],
    dep_labels=["root", "case", "nmod", "punct"],
    entities=[Entity(0, 3, "FAC"), Entity(2, 3, "LOC")],
    space_after=[True, True, False, True],
    probabilities=[0.5, 0.25],
)
DOCUMENT = Document("a/1", [NESTED, Sentence(["Why"], entities=[])])


def test_columns():
    writer = ColumnsWriter(coding_scheme="BIOUL")
    text = "-DOCSTART- O\n\nPort B-FAC\nof I-FAC\nOslo L-FAC\n. O\n\nWhy O\n\n"
    assert writer.text(DOCUMENT) == text
    assert writer.lost() == (
        "1 documents' ids, 1 sentences' spaces, 1 sentences' parts of speech, 1 sentences' trees, 1 nested entities, "
        "2 entities' probabilities"
    )


def test_all_columns():
    writer = ColumnsWriter(["word", "pos", "head", "dep_label", "tag", "tag"], separator="\t")
    assert writer.text(Document(None, DOCUMENT.sentences)).splitlines() == [
        "Port\tNN\t0\troot\tB-FAC\tO",
        "of\tIN\t3\tcase\tI-FAC\tO",
        "Oslo\tNNP\t1\tnmod\tI-FAC\tB-LOC",
        ".\t.\t1\tpunct\tO\tO",
        "",
        "Why\t_\t_\t_\tO\tO",
        "",
    ]
    assert writer.lost() == "1 sentences' spaces, 2 entities' probabilities"


def test_columns_with_labels_of_words():
    writer = ColumnsWriter()
    assert writer.text(Document(None, [Sentence(["a", "b"], tags=["c", "i"])])) == "a c\nb i\n\n"
    assert not writer.losses


@pytest.mark.parametrize("columns", [["word"], ["tag"], ["word", "word", "tag"], ["word", "lemma", "tag"], []])
def test_bad_columns(columns):
    with pytest.raises(
        ConfigurationError, match="found the columns .* expected word, one or more times tag, and perhaps"
    ):
        ColumnsWriter(columns)


@pytest.mark.parametrize(
    "word, options, message",
    [
        ("a b", {}, "s: found 'a b' in a column, expected something without ' ' and '.t', or another separator"),
        ("a\tb", {"separator": "\t"}, "s: found 'a.tb' in a column, expected something without '.t'"),
        ("a\n", {"separator": "\t"}, "s: found 'a.n' in a column"),
        ("", {}, "s: found '' in a column"),
        ("\ufeffa", {}, "s: found the line '.ufeffa O', expected one without a byte order mark at its start"),
        ("-DOCSTART-", {}, "s: found the line '-DOCSTART- O', expected another one: it separates documents"),
        ("-DOCSTART- X", {"separator": "\t"}, "s: found the line '-DOCSTART- X.tO', expected another one"),
        ("-DOCSTART-", {"columns": ["tag", "word"]}, "s: found the line 'O -DOCSTART-', expected another one"),
    ],
)
def test_words_that_columns_cannot_have(word, options, message):
    with pytest.raises(ConfigurationError, match=message.replace(".t", r"\\t").replace(".n", r"\\n")):
        ColumnsWriter(**options).text(Document(None, [Sentence([word], id="s")]))
    assert ColumnsWriter(separator="\t").text(Document(None, [Sentence(["a b"])])) == "a b\tO\n\n"


def test_columns_with_a_word_that_separates_documents_within_a_sentence():
    sentence = Sentence(["a", "-DOCSTART-", "b"], id="s")
    with pytest.raises(ConfigurationError, match="s: found the line '-DOCSTART- O', expected another one"):
        ColumnsWriter().text(Document(None, [sentence]))
    assert ColumnsWriter().text(Document(None, [Sentence(["-DOCSTART-X"])])) == "-DOCSTART-X O\n\n"


def test_conllu():
    writer = ConlluWriter()
    assert writer.text(DOCUMENT).splitlines() == [
        "# newdoc id = a/1",
        "# text = Port of Oslo.",
        "1\tPort\t_\t_\tNN\t_\t0\troot\t_\tNER=B-FAC",
        "2\tof\t_\t_\tIN\t_\t3\tcase\t_\tNER=I-FAC",
        "3\tOslo\t_\t_\tNNP\t_\t1\tnmod\t_\tNER=I-FAC|SpaceAfter=No",
        "4\t.\t_\t_\t.\t_\t1\tpunct\t_\t_",
        "",
        "# text = Why",
        "1\tWhy\t_\t_\t_\t_\t_\t_\t_\t_",
        "",
    ]
    assert writer.lost() == "1 nested entities, 2 entities' probabilities"


def test_conllu_in_brackets():
    writer = ConlluWriter(entities="Entity")
    lines = writer.text(DOCUMENT).splitlines()
    assert lines[:3] == ["# newdoc id = a/1", "# global.Entity = GRP-etype", "# text = Port of Oslo."]
    assert [line.split("\t")[-1] for line in lines[3:7]] == [
        "Entity=(1-FAC",
        "_",
        "Entity=(2-LOC)1)|SpaceAfter=No",
        "_",
    ]
    assert writer.lost() == "2 entities' probabilities"


def test_labels_with_the_signs_of_brackets(tmp_path):
    entities = [Entity(0, 2, "a-b(c)|d=e%2D é"), Entity(0, 2, "z"), Entity(1, 2, "z")]
    writer = ConlluWriter(entities="Entity")
    writer.write_all([Document("a", [Sentence(["x", "y"], entities=entities)])], tmp_path / "a.conllu")
    (document,) = ConlluCorpus().read(tmp_path / "a.conllu")
    assert document.sentences[0].entities == entities


def test_entities_that_cross(tmp_path):
    sentence = Sentence(list("wxyz"), entities=[Entity(0, 2, "A"), Entity(1, 3, "B")], id="here")
    with pytest.raises(ConfigurationError, match="here: found .*which crosses .*expected nested entities"):
        ConlluWriter(entities="Entity").write_all([Document("a", [sentence])], tmp_path / "a.conllu")


def test_bad_conllu():
    with pytest.raises(ConfigurationError, match="found the entities 'x', expected 'NER' or 'Entity'"):
        ConlluWriter(entities="x")
    with pytest.raises(ConfigurationError, match="s: found 'a.*b', expected something without tabs and line ends"):
        ConlluWriter().text(Document(None, [Sentence(["a\tb"], id="s")]))
    with pytest.raises(ConfigurationError, match=r"s: found the label 'A\|B', expected one without '\|'"):
        ConlluWriter().text(Document(None, [Sentence(["a"], entities=[Entity(0, 1, "A|B")], id="s")]))


@pytest.mark.parametrize("id", ["", " ", "a\nb", "a\r", "a\tb", "\u00a0a", "a\n1\tx" + "\t_" * 8 + "\n"])
def test_ids_that_conllu_cannot_have(id):
    with pytest.raises(ConfigurationError) as error:
        ConlluWriter().text(Document(id, [Sentence(["a"], id="s")]))
    expected = "one without tabs, line ends and white space at its ends"
    assert str(error.value) == f"s: found the id {id!r} of a document, expected {expected}"


def test_jsonl(tmp_path):
    writer = JsonlWriter()
    labels = Sentence(["a"], tags=["c"])
    documents = [DOCUMENT, Document("b", [labels])]
    writer.write_all(documents, tmp_path / "a.jsonl")
    again = list(JsonlCorpus().read(tmp_path / "a.jsonl"))
    for document in again:
        for sentence in document.sentences:
            sentence.id = None
    assert again == documents and not writer.losses
    first = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    located = {"text": "Oslo", "start_char": 8, "end_char": 12}
    assert first["entities"][1] == {"start": 2, "end": 3, "label": "LOC", **located, "probability": 0.25}


def test_offsets_in_the_text_of_a_document_are_lost():
    for text, lost in [("Port of Oslo. Why\n", {}), ("Port of Oslo.  Why", {"documents' offsets in characters": 1})]:
        writer = JsonlWriter()
        writer.text(Document("a", DOCUMENT.sentences, text))
        assert dict(writer.losses) == lost


def test_outputs_that_exist(tmp_path):
    path = tmp_path / "a.txt"
    path.touch()
    for write in (ColumnsWriter().open, lambda path: ColumnsWriter().write_all([], path)):
        with pytest.raises(
            ConfigurationError, match="a.txt: found an output that exists, expected the path of a new one"
        ):
            write(path)


def test_all_or_nothing(tmp_path):
    bad = Document(None, [Sentence(["a b"])])
    with pytest.raises(ConfigurationError, match="in a column"):
        ColumnsWriter().write_all([DOCUMENT, bad], tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []
    ColumnsWriter().write_all([DOCUMENT], tmp_path / "a.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
