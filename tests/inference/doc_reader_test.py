import spacy
from spacy.tokens import Doc

from nerzoo.inference.spacy_docs import DocReader
from nerzoo.inference.tagger import Tagger


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
