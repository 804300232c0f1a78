"""spaCy's `DocBin`."""

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES
from spacy.tokens import Doc, DocBin, Span

from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.spacy import SpacyCorpus, SpacyWriter
from nerzoo.text.annotation import Document, Entity, Sentence, layer

VOCAB = spacy.blank("xx").vocab


def stored(path, *docs, **options):
    DocBin(docs=docs, **options).to_disk(path)
    return list(SpacyCorpus().read(path))


def docs_in(path):
    return list(DocBin().from_disk(path).get_docs(VOCAB))


def test_docs_of_spacy(tmp_path, caplog):
    caplog.set_level("INFO")
    words = ["\n", "Mara", "saw", "\n\n", "Lindow", "Port", ".", "Why", "?"]
    first = Doc(
        VOCAB,
        words,
        [False, True, False, False, True, False, True, False, False],
        tags=["_SP", "NNP", "VBD", "_SP", "NNP", "NNP", ".", "WRB", "."],
        heads=[1, 2, 2, 2, 5, 3, 2, 7, 7],
        deps=["", "nsubj", "ROOT", "", "compound", "dobj", "punct", "ROOT", "punct"],
        ents=["O", "B-PER", "O", "O", "B-LOC", "I-LOC", "O", "O", "O"],
    )
    first.spans["sc"] = [Span(first, 1, 3, "X")]
    second = Doc(VOCAB, ["No", "sentence"], pos=["DET", "NOUN"])
    documents = stored(tmp_path / "x.spacy", first, Doc(VOCAB, ["\n"]), second)
    assert [(document.id, document.text) for document in documents] == [
        ("1", "\nMara saw\n\nLindow Port. Why?"),
        ("3", "No sentence "),
    ]
    one, two = documents[0].sentences
    location = f"{tmp_path}/x.spacy: Doc 1"
    # The head of Port is white space: its nearest ancestor that is a word is its head.
    assert one == Sentence(
        ["Mara", "saw", "Lindow", "Port", "."],
        pos=["NNP", "VBD", "NNP", "NNP", "."],
        heads=[2, 0, 4, 2, 2],
        dep_labels=["nsubj", "ROOT", "compound", "dobj", "punct"],
        entities=[Entity(0, 1, "PER"), Entity(2, 4, "LOC")],
        space_after=[True, True, True, False, True],
        id=location,
    )
    assert (two.words, two.heads, list(two.entities)) == (["Why", "?"], [0, 1], [])
    (other,) = documents[1].sentences
    assert (other.words, other.pos, other.heads) == (["No", "sentence"], ["DET", "NOUN"], None)
    assert "left out or adapted: 1 Docs without words, 1 spans in doc.spans" in caplog.text


def test_an_entity_over_the_end_of_a_sentence(tmp_path, caplog):
    caplog.set_level("INFO")
    doc = Doc(VOCAB, ["a", "b", "c", "d"], sent_starts=[True, False, True, True], ents=["O", "B-X", "I-X", "O"])
    (document,) = stored(tmp_path / "x.spacy", doc)
    assert [sentence.words for sentence in document.sentences] == [["a", "b", "c"], ["d"]]
    assert document.sentences[0].entities == [Entity(1, 3, "X")]
    assert "1 ends of sentences within entities" in caplog.text


def test_what_spacy_reads(tmp_path):
    sentences = [
        Sentence(
            ["Mara", "saw", "Lindow", "Port", "."],
            pos=["NNP", "VBD", "NNP", "NNP", "."],
            heads=[2, 0, 4, 2, 2],
            dep_labels=["nsubj", "root", "compound", "obj", "punct"],
            entities=[Entity(0, 1, "PER"), Entity(2, 4, "LOC"), Entity(2, 3, "PER")],
            space_after=[True, True, True, False, True],
            probabilities=[0.5, 0.5, 0.5],
        ),
        Sentence(["Why", "?"], heads=[0, 1], dep_labels=["root", "punct"]),
    ]
    text = "\nMara saw Lindow  Port.\n\nWhy ?"
    writer = SpacyWriter()
    writer.write_all([Document("a", sentences, text)], tmp_path / "x.spacy")
    (doc,) = docs_in(tmp_path / "x.spacy")
    assert doc.text == text
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("Mara", "PER"), ("Lindow  Port", "LOC")]
    assert [span.text for span in doc.sents] == ["\nMara saw Lindow  Port.\n\n", "Why ?"]
    assert [(token.tag_, token.dep_, token.head.text) for token in doc if token.text == "Port"] == [
        ("NNP", "obj", "saw")
    ]
    assert writer.lost() == "1 nested entities, 3 entities' probabilities"
    (again,) = SpacyCorpus().read(tmp_path / "x.spacy")
    assert (again.id, again.text) == ("a", text)
    assert [sentence.heads for sentence in again.sentences] == [[2, 0, 4, 2, 2], [0, 1]]


def test_a_fixture_and_back(tmp_path):
    """Ids, words, spaces, parts of speech, trees of one root and the outermost entities come back."""
    documents = list(ConlluCorpus().read(FIXTURES / "people_and_places/dev.conllu"))
    writer = SpacyWriter()
    writer.write_all(documents, tmp_path / "x.spacy")
    again = list(SpacyCorpus().read(tmp_path / "x.spacy"))
    assert [document.id for document in again] == [document.id for document in documents]
    lost_trees = num_trees = 0
    for document, new_document in zip(documents, again, strict=True):
        has_trees = all(sentence.heads.count(0) == 1 for sentence in document.sentences)
        num_trees += has_trees * len(document.sentences)
        lost_trees += (not has_trees) * len(document.sentences)
        for old, new in zip(document.sentences, new_document.sentences, strict=True):
            assert (new.words, new.pos, new.space_after[:-1]) == (old.words, old.pos, old.space_after[:-1])
            assert (new.heads, new.dep_labels) == ((old.heads, old.dep_labels) if has_trees else (None, None))
            assert new.entities == layer(old.entities, "outermost")
    assert num_trees and writer.losses["sentences' trees"] == lost_trees


def test_sentences_without_documents_are_docs_of_their_own(tmp_path):
    sentences = [Sentence(["a", "b"], heads=[0, 0], dep_labels=["root", "root"]), Sentence(["c"])]
    writer = SpacyWriter()
    writer.write_all([Document(None, sentences)], tmp_path / "x.spacy")
    assert [doc.text for doc in docs_in(tmp_path / "x.spacy")] == ["a b", "c"]
    # Two roots would be two sentences.
    assert writer.lost() == "1 sentences' trees"
    (again,) = SpacyCorpus().read(tmp_path / "x.spacy")
    assert (again.id, [sentence.words for sentence in again.sentences]) == (None, [["a", "b"], ["c"]])
    assert again.sentences[0].heads is None


def test_white_space_as_a_word(tmp_path):
    document = Document("a", [Sentence(["a", "\u00a0"], id="here")])
    with pytest.raises(ConfigurationError, match=r"here: found the word '\\xa0', expected one that is not white space"):
        SpacyWriter().write_all([document], tmp_path / "x.spacy")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"Mara PER\n", b"x\x9cK\x04\x00\x00b\x00b", DocBin().to_bytes()[:-4]])
def test_a_file_that_is_no_doc_bin(content, tmp_path):
    (tmp_path / "x.spacy").write_bytes(content)
    with pytest.raises(ConfigurationError) as error:
        list(SpacyCorpus().read(tmp_path / "x.spacy"))
    message = str(error.value)
    assert message.startswith(f"{tmp_path}/x.spacy: found a file of another format (") and "\n" not in message
    assert message.endswith("expected a DocBin of spaCy's")
