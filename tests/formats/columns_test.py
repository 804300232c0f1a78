import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES, REAL_DATA

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Document, Entity, Sentence

FILES = FIXTURES / "corpora"


def read(tmp_path, content, **kwargs):
    path = tmp_path / "file.txt"
    path.write_text(content)
    return list(ColumnsCorpus(**kwargs).read(path))


def entities(tmp_path, content, **kwargs):
    return [sentence.entities for document in read(tmp_path, content, **kwargs) for sentence in document.sentences]


def test_documents_with_all_columns():
    params = Params({"type": "columns", "pos_column": 1, "head_column": 2, "dep_label_column": 3})
    path = FILES / "documents.txt"
    first, second = Corpus.from_params(params).read(path)
    assert first.sentences == [
        Sentence(
            words=["Anna", "lives", "in", "New", "York"],
            pos=["NNP", "VBZ", "IN", "NNP", "NNP"],
            heads=[2, 0, 5, 5, 2],
            dep_labels=["nsubj", "root", "case", "compound", "obl"],
            entities=[Entity(0, 1, "PER"), Entity(3, 5, "LOC")],
            id=f"{path}:3",
        ),
        Sentence(words=["Rain"], pos=["NN"], heads=[0], dep_labels=["root"], entities=[], id=f"{path}:9"),
    ]
    assert second.sentences[0].words == ["Acme", "closed"]


@pytest.mark.parametrize("content", ["a O\n\n-DOCSTART- O\n\nb O\n\n-DOCSTART- O", "-DOCSTART-\na O\n-DOCSTART-\nb O"])
def test_document_bounds_come_before_or_after(tmp_path, content):
    documents = list(read(tmp_path, content))
    assert [[s.words for s in document.sentences] for document in documents] == [[["a"]], [["b"]]]
    assert [document.id for document in documents] == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("a O\n-DOCSTART- -X- O O\nb O", {}),
        ("a\tO\n-DOCSTART- (1 EU)\nb\tO", {"separator": "\t"}),
        ("a|O\n-DOCSTART-|O\nb|O", {"separator": "|"}),
        ("O a\nO -DOCSTART-\nO b", {"word_column": 1, "tag_column": 0}),
        ("O a\n-DOCSTART-\nO b", {"word_column": -1, "tag_column": 0}),
    ],
)
def test_forms_of_document_bounds(content, options, tmp_path):
    documents = read(tmp_path, content, **options)
    assert [[sentence.words for sentence in document.sentences] for document in documents] == [[["a"]], [["b"]]]


@pytest.mark.parametrize("word", ["-DOCSTART-X", "-DOCSTART--", "X-DOCSTART-", "-DOCSTART-\u00a0"])
def test_words_that_begin_as_document_bounds_are_words(word, tmp_path):
    (document,) = read(tmp_path, f"a O\n{word} O\nb O")
    assert [sentence.words for sentence in document.sentences] == [["a", word, "b"]]


def test_one_bounded_document_is_a_document(tmp_path):
    (bounded,), (whole,) = read(tmp_path, "a O\n-DOCSTART- O"), read(tmp_path, "a O\n\nb O")
    assert (bounded.id, whole.id) == ("1", None)


@pytest.mark.parametrize("tag_column", [[1, 2], [2, 1], [-2, -1]])
def test_layers_of_nested_entities_in_any_order(tag_column):
    (document,) = ColumnsCorpus(tag_column=tag_column).read(FILES / "nested.tsv")
    nested, repeated = document.sentences
    assert nested.entities == [Entity(1, 5, "ORG"), Entity(3, 5, "LOC")]
    assert repeated.entities == [Entity(0, 1, "LOC")]


@pytest.mark.parametrize(
    "coding_scheme, tags",
    [("BIO", "B-X I-X O B-Y"), ("IOB1", "I-X I-X O I-Y"), ("BIOUL", "B-X L-X O U-Y"), ("BIOES", "B-X E-X O S-Y")],
)
def test_coding_schemes(tmp_path, coding_scheme, tags):
    content = "\n".join(f"word {tag}" for tag in tags.split())
    assert entities(tmp_path, content, coding_scheme=coding_scheme) == [[Entity(0, 2, "X"), Entity(3, 4, "Y")]]


def test_prefixes_behind_their_labels():
    params = Params({"type": "columns", "tag_notation": "suffix"})
    (document,) = Corpus.from_params(params).read(FILES / "media.txt")
    first, second, third = document.sentences
    assert first.entities == [Entity(3, 4, "command"), Entity(4, 7, "room-type"), Entity(8, 9, "hotel-city")]
    assert second.entities == [Entity(0, 1, "answer")]
    assert [entity.label for entity in third.entities] == ["hotel-parking", "hotel-pool", "nights", "answer", "nights"]
    assert third.entities[:2] == [Entity(1, 3, "hotel-parking"), Entity(3, 5, "hotel-pool")]


def test_labels_of_words(tmp_path):
    (document,) = read(tmp_path, "I c\nis i", coding_scheme=None)
    assert document == Document(
        sentences=[Sentence(["I", "is"], tags=["c", "i"], entities=[], id=f"{tmp_path}/file.txt:1")]
    )


def test_a_separator_keeps_spaces(tmp_path):
    (document,) = read(tmp_path, "New York\tB-LOC\n \t\nOslo\tB-LOC", separator="\t")
    assert [sentence.words for sentence in document.sentences] == [["New York"], ["Oslo"]]


def test_a_file_of_one_token(tmp_path):
    assert entities(tmp_path, "Oslo B-LOC") == [[Entity(0, 1, "LOC")]]


@pytest.mark.parametrize(
    "content, kwargs, message",
    [
        ("a O\nb x O", {}, "file.txt:2: found 3 columns, expected 2 as in the first line of the sentence"),
        ("a O", {"pos_column": 2}, "file.txt:1: found 2 columns, expected a column 2"),
        ("a O\n\nb X-PER", {}, "file.txt:3: found the tag 'X-PER', expected O, or one of B, I with a label: BIO"),
        ("a B-", {}, "file.txt:1: found the tag 'B-'"),
        ("a null\nb B-x", {"tag_notation": "suffix"}, "file.txt:2: found the tag 'B-x', expected null, or one of B, I"),
        ("a O", {"tag_notation": "suffix"}, "file.txt:1: found the tag 'O', expected null"),
        ("a x", {"tag_notation": "suffix"}, "file.txt:1: found the tag 'x', expected null"),
        ("a\tO\n\tO", {"separator": "\t"}, "file.txt:2: found nothing in column 0"),
        ("a 0 O\nb 3 O", {"head_column": 1}, "file.txt:2: found the head 3, expected an integer from 0 to 2"),
        ("a 0 O\nb 2 O", {"head_column": 1}, "file.txt:2: found the cycle of heads 2 -> 2"),
        ("a 2 O\nb 1 O", {"head_column": 1}, "file.txt:1: found a sentence without a root"),
        ("-DOCSTART- O", {}, "file.txt: found no sentence"),
    ],
)
def test_bad_files(tmp_path, content, kwargs, message):
    with pytest.raises(ConfigurationError, match=message):
        read(tmp_path, content, **kwargs)


def test_bad_configurations():
    with pytest.raises(ConfigurationError, match="'IOB3'.*BIO, IOB1, BIOUL, BIOES"):
        ColumnsCorpus(coding_scheme="IOB3")
    with pytest.raises(ConfigurationError, match="the tag_notation 'infix', expected 'prefix' or 'suffix'"):
        ColumnsCorpus(tag_notation="infix")
    with pytest.raises(ConfigurationError, match="several tag columns"):
        ColumnsCorpus(coding_scheme=None, tag_column=[1, 2])


@pytest.mark.skipif(not REAL_DATA.exists(), reason="needs the corpora in ../shared/data")
@pytest.mark.parametrize(
    "path, tag_column, counts",
    [
        ("wikigold/wikigold.conll.txt", -1, (145, 1696, 39007, 3558)),
        ("wnut17/wnut17train.conll", -1, (1, 3394, 62730, 1975)),
        ("wnut17/emerging.dev.conll", -1, (1, 1009, 15733, 836)),
        ("germeval2014/germ.dev.iob2.gz", [1, 2], (1, 2200, 41653, 2886)),
        ("germeval2014/germ.test.iob2.gz", [1, 2], (1, 5100, 96499, 6693)),
        ("genia/boundary-aware.dev.iob2.gz", [1, 2, 3, 4], (1, 1669, 48932, 4337)),
        ("genia/jnlpba.devel.tsv.gz", -1, (200, 1739, 47461, 4551)),
    ],
)
def test_real_corpora(path, tag_column, counts):
    crosses = path == "germeval2014/germ.test.iob2.gz"
    documents = list(ColumnsCorpus(tag_column=tag_column, allow_crossing=crosses).read(REAL_DATA / path))
    sentences = [sentence for document in documents for sentence in document.sentences]
    num_words = sum(len(sentence.words) for sentence in sentences)
    num_entities = sum(len(sentence.entities) for sentence in sentences)
    assert (len(documents), len(sentences), num_words, num_entities) == counts


def test_layers_that_cross(tmp_path):
    path = tmp_path / "crossing.txt"
    path.write_text("a B-X O\nb I-X B-Y\nc O I-Y\n")
    with pytest.raises(
        ConfigurationError,
        match="crossing.txt:2: found .*'Y'.*, which crosses .*'X'.*, expected .*, or allow_crossing",
    ):
        list(ColumnsCorpus(tag_column=[1, 2]).read(path))
    [document] = ColumnsCorpus(tag_column=[1, 2], allow_crossing=True).read(path)
    assert document.sentences[0].entities == [(0, 2, "X"), (1, 3, "Y")]
