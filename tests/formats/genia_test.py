import logging
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import REAL_DATA

from nerzoo.formats.genia import GeniaCorpus
from nerzoo.text.annotation import Entity

REAL = REAL_DATA / "genia" / "GENIAcorpus3.02.xml.gz"
ARTICLE = """<article>
<articleinfo>
<bibliomisc>MEDLINE:{id}</bibliomisc>
</articleinfo>
<title>
<sentence>{title}</sentence>
</title>
<abstract>
<sentence>Nothing.</sentence>
</abstract>
</article>
"""


@pytest.fixture
def write(tmp_path):
    def run(*titles):
        articles = "".join(ARTICLE.format(id=id, title=title) for id, title in enumerate(titles))
        file = tmp_path / "genia.xml"
        file.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<set>\n{articles}</set>\n')
        return file

    return run


def cons(text, sem):
    return f'<cons lex="{text}" sem="{sem}">{text}</cons>'


def first_sentence(file, **parameters):
    return next(GeniaCorpus(**parameters).read(file)).sentences[0]


def test_articles_are_documents(write):
    documents = list(GeniaCorpus().read(write("One.", "Two.")))
    assert [document.id for document in documents] == ["MEDLINE:0", "MEDLINE:1"]
    assert [[sentence.text for sentence in document.sentences] for document in documents] == [
        ["One.", "Nothing."],
        ["Two.", "Nothing."],
    ]


def test_nested_annotations_and_words_between_symbols(write):
    inner = cons("IL-2", "G#protein_molecule")
    outer = f'<cons lex="x" sem="G#DNA_domain_or_region">human {inner} gene</cons>'
    sentence = first_sentence(write(f"A {outer}-like {cons('T cell', 'G#cell_type')}."))
    assert sentence.words == ["A", "human", "IL", "-", "2", "gene", "-", "like", "T", "cell", "."]
    assert sentence.entities == [Entity(1, 6, "DNA"), Entity(2, 5, "protein"), Entity(8, 10, "cell_type")]
    assert sentence.text == "A human IL-2 gene-like T cell."


def test_a_coordination_of_one_super_type_is_an_entity_and_its_parts_are_none(write):
    parts = '<cons lex="human*">human</cons> and <cons lex="mouse*">mouse</cons> <cons lex="*gene">genes</cons>'
    same = f'<cons lex="x" sem="(AND G#DNA_family_or_group G#DNA_molecule)">{parts}</cons>'
    mixed = f'<cons lex="x" sem="(OR G#DNA_family_or_group G#protein_molecule)">{parts}</cons>'
    assert first_sentence(write(same)).entities == [Entity(0, 4, "DNA")]
    assert first_sentence(write(mixed)).entities == []


def test_other_classes_are_counted(write, caplog):
    caplog.set_level(logging.INFO)
    # Not a cell line, for all that its name begins with it.
    assert first_sentence(write(f"{cons('Ion', 'G#inorganic')} {cons('x', 'G#cell_linear')}")).entities == []
    assert "1 annotations of other classes" not in caplog.text
    assert list(GeniaCorpus().read(write(cons("Ion", "G#inorganic"))))
    assert ": left out or adapted: 1 annotations of other classes" in caplog.text


def test_what_is_left_out_is_counted(write, caplog):
    caplog.set_level(logging.INFO)
    file = write(cons("Ion", "inorganic"))
    file.write_text(file.read_text().replace("</set>", "<sentence>Late.</sentence>\n<sentence>Last.</sentence></set>"))
    (document,) = GeniaCorpus().read(file)
    assert [sentence.text for sentence in document.sentences] == ["Ion", "Nothing."]
    assert ": left out or adapted: 1 annotations whose sem has no G#, 2 sentences after the last article" in caplog.text


def test_an_annotation_within_a_word_is_widened(write):
    sentence = first_sentence(write(f"{cons('p70', 'G#protein_molecule')}IkappaB"))
    assert sentence.words == ["p70IkappaB"]
    assert sentence.entities == [Entity(0, 1, "protein")]


def test_annotations_that_cross_when_they_are_widened_are_counted(write, caplog):
    caplog.set_level(logging.INFO)
    first, second = cons("human IL2", "G#DNA_molecule"), cons("R gene", "G#protein_molecule")
    (document,) = GeniaCorpus().read(write(f"A {first}{second}."))
    assert document.sentences[0].entities == [Entity(1, 3, "DNA")]
    assert "1 annotations that cross others, widened to whole words" in caplog.text


def test_shares_part_the_articles(write):
    file = write("One.", "Two.", "Three.")
    shares = ([0.0, 0.34], [0.34, 0.9], [0.9, 1.0])
    ids = [[document.id for document in GeniaCorpus(share=share).read(file)] for share in shares[:2]]
    assert ids == [["MEDLINE:0"], ["MEDLINE:1", "MEDLINE:2"]]
    with pytest.raises(ConfigurationError, match="no sentence"):
        list(GeniaCorpus(share=shares[2]).read(file))


@pytest.mark.parametrize("share", [[0.5, 0.5], [0.9, 0.1], [-0.1, 1], [0, 1.1], [0.5], [0, 0.5, 1]])
def test_what_is_no_share(share):
    with pytest.raises(ConfigurationError, match="expected \\[from, to\\]"):
        GeniaCorpus(share=share)


@pytest.mark.parametrize("text", ["<b>", "</article>", "a & b"])
def test_what_is_no_xml_names_the_line(write, text):
    file = write("One.", text)
    with pytest.raises(ConfigurationError, match=r"genia.xml:\d+: found .*, expected the XML of the GENIA corpus"):
        list(GeniaCorpus().read(file))


def test_a_sentence_without_words_names_the_line(write):
    with pytest.raises(ConfigurationError, match=r"genia.xml:8: found a sentence without words"):
        list(GeniaCorpus().read(write(" ")))


def test_an_empty_file(tmp_path):
    (tmp_path / "empty.xml").write_text("")
    with pytest.raises(ConfigurationError, match="empty.xml: found no sentence, expected at least one"):
        list(GeniaCorpus().read(tmp_path / "empty.xml"))


@pytest.mark.skipif(not REAL.exists(), reason="needs GENIA 3.02 beside the repository, in shared/data")
def test_the_real_file():
    documents = list(GeniaCorpus().read(REAL))
    sentences = [sentence for document in documents for sentence in document.sentences]
    labels = Counter(entity.label for sentence in sentences for entity in sentence.entities)
    assert (len(documents), len(sentences)) == (2000, 18546)
    assert labels.keys() == {"DNA", "RNA", "protein", "cell_line", "cell_type"}
    # 57,096 annotations, but for those that span the same words with the same super-type.
    assert 56_500 < sum(labels.values()) <= 57_096
