import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc, Span

from nerzoo.inference.spacy_component import ArchiveDocReader as DocReader
from nerzoo.inference.tagger import Tagger
from nerzoo.zoo.spacy_component import DocAnnotator


def make_doc():
    return Doc(spacy.blank("en").vocab, ["The", "University", " ", "of", "Calder", "\n", "Mara"])


SENTENCES = [[0, 1, 3, 4], [6]]


def predictions():
    def entity(start, end, label, probability):
        return {"start": start, "end": end, "label": label, "probability": probability}

    nested = [entity(0, 4, "organisation", 0.9), entity(3, 4, "place", 0.75)]
    return [{"entities": nested}, {"entities": [entity(0, 1, "person", 0.5)]}]


def labels(spans):
    return [(span.start, span.end, span.label_) for span in spans]


ALL = [(0, 5, "organisation"), (4, 5, "place"), (6, 7, "person")]


def test_nested_entities_are_spans_and_the_longest_are_entities():
    doc = make_doc()
    DocAnnotator("ents", "sc", False).write(doc, SENTENCES, predictions())
    assert labels(doc.spans["sc"]) == ALL
    assert doc.spans["sc"].attrs["scores"] == [0.9, 0.75, 0.5]
    assert labels(doc.ents) == [ALL[0], ALL[2]]


@pytest.mark.parametrize(
    "overwrite, expected", [(False, [(3, 4, "THEIRS"), (6, 7, "person")]), (True, [ALL[0], ALL[2]])]
)
def test_entities_that_a_doc_has_already(overwrite, expected):
    doc = make_doc()
    doc.ents = [Span(doc, 3, 4, "THEIRS")]
    DocAnnotator("ents", "sc", overwrite).write(doc, SENTENCES, predictions())
    assert labels(doc.ents) == expected
    assert labels(doc.spans["sc"]) == ALL


TAGS = [{"tags": ["DET", "NOUN", "ADP", "PROPN"]}, {"tags": ["PROPN"]}]


def test_tags():
    doc = make_doc()
    DocAnnotator("tag", "sc", False).write(doc, SENTENCES, TAGS)
    assert [token.tag_ for token in doc] == ["DET", "NOUN", "_SP", "ADP", "PROPN", "_SP", "PROPN"]
    assert not doc.has_annotation("POS") and not doc.spans


def test_universal_parts_of_speech():
    doc = make_doc()
    DocAnnotator("pos", "sc", False).write(doc, SENTENCES, TAGS)
    assert [token.pos_ for token in doc] == ["DET", "NOUN", "SPACE", "ADP", "PROPN", "SPACE", "PROPN"]
    with pytest.raises(ConfigurationError, match="found the predicted tags 'NN', expected universal parts of speech"):
        DocAnnotator("pos", "sc", False).write(doc, SENTENCES, [TAGS[0], {"tags": ["NN"]}])


def test_a_word_below_white_space_that_is_a_root_is_a_root(archives):
    reader = DocReader(Tagger.load(archives("deptree_ner"), device="cpu").predictor)
    doc = Doc(
        spacy.blank("en").vocab,
        ["Mara", "lived", "\n", "in", "Calder"],
        tags=["NNP", "VBD", "_SP", "IN", "NNP"],
        heads=[1, 2, 2, 4, 1],
        deps=["nsubj", "obl", "ROOT", "case", "obl"],
    )
    (sentence,) = reader.read(doc).inputs
    assert sentence == {
        "words": ["Mara", "lived", "in", "Calder"],
        "pos": ["NNP", "VBD", "IN", "NNP"],
        "heads": [2, 0, 4, 2],
        "dep_labels": ["nsubj", "root", "case", "obl"],
    }
