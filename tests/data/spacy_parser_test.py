import shutil

import pytest
import spacy
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.data.spacy_parser import SpacyParser
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.text.annotation import Entity, Sentence

TEXT = "Mara lived in Lindow."


def test_a_blank_pipeline_splits_text_into_words():
    sentence = SpacyParser().parse(" Mara  lived\tin\nLindow. ")
    assert sentence == Sentence(["Mara", "lived", "in", "Lindow", "."])


@pytest.mark.parametrize("text", ["", " \t\n"])
def test_text_without_words(text):
    assert SpacyParser().parse(text).words == []


def test_a_pipeline_tags_and_parses(spacy_pipeline):
    parser = SpacyParser.from_params(Params({"pipeline": str(spacy_pipeline)}))
    assert parser.parse("Mara lived in  Lindow.") == Sentence(
        words=["Mara", "lived", "in", "Lindow", "."],
        pos=["NNP", "VBD", "IN", "NNP", "."],
        heads=[2, 0, 4, 2, 2],
        dep_labels=["nsubj", "root", "case", "obl", "punct"],
    )


def test_several_sentences_are_one_tree_with_several_roots(spacy_pipeline):
    sentence = SpacyParser(str(spacy_pipeline)).parse("Mara laughed. Jordan left.")
    assert sentence.heads == [2, 0, 2, 5, 0, 5]
    assert sentence.dep_labels == ["nsubj", "root", "punct", "nsubj", "root", "punct"]


def test_a_pipeline_without_a_parser_gives_tags_alone(spacy_pipeline, tmp_path):
    spacy.load(spacy_pipeline, exclude=["parser"]).to_disk(tmp_path)
    sentence = SpacyParser(str(tmp_path)).parse("Mara lived in Lindow.")
    assert sentence.pos == ["NNP", "VBD", "IN", "NNP", "."]
    assert sentence.heads is sentence.dep_labels is None


def test_sentences_keep_their_words_and_entities_when_parsed_anew(spacy_pipeline):
    words = ["Mara", "lived", "in", "Lindow", "."]
    kept = {"entities": [Entity(3, 4, "place")], "space_after": [True, True, True, False, False], "id": "one"}
    old = Sentence(words, ["X"] * 5, [0, 1, 1, 1, 1], ["dep"] * 5, **kept)
    new = Sentence(
        words, ["NNP", "VBD", "IN", "NNP", "."], [2, 0, 4, 2, 2], ["nsubj", "root", "case", "obl", "punct"], **kept
    )
    assert list(SpacyParser(str(spacy_pipeline)).reparse([old, old])) == [new, new]


def test_sentences_keep_the_parts_of_speech_that_they_have(spacy_pipeline):
    words, heads = ["Mara", "lived", "in", "Lindow", "."], [2, 0, 4, 2, 2]
    gold, none = Sentence(words, ["X"] * 5, [0, 1, 1, 1, 1], ["dep"] * 5), Sentence(words)
    kept, added = SpacyParser(str(spacy_pipeline)).reparse([gold, none], replace_pos=False)
    assert (kept.pos, kept.heads, kept.dep_labels) == (["X"] * 5, heads, ["nsubj", "root", "case", "obl", "punct"])
    assert (added.pos, added.heads) == (["NNP", "VBD", "IN", "NNP", "."], heads)


def test_a_pipeline_without_a_parser_finds_no_trees_for_sentences():
    with pytest.raises(ConfigurationError, match="blank:en.*has no parser"):
        list(SpacyParser().reparse([Sentence(["Mara"])]))


def test_a_missing_pipeline_is_an_error_when_used_that_says_what_to_do():
    parser = SpacyParser("no_such_pipeline")
    for use in (lambda: parser.parse("Mara"), lambda: list(parser.reparse([Sentence(["Mara"])]))):
        with pytest.raises(ConfigurationError) as error:
            use()
        assert "pipeline 'no_such_pipeline', which parses text for this model, cannot be loaded: train one with" in str(
            error.value
        )
        assert '{"words": [...], "pos": [...], "heads": [...], "dep_labels": [...]}' in str(error.value)


def parser_of(folder, **options):
    return SpacyParser.from_params(Params(options), serialization_dir=str(folder))


def test_a_training_packs_the_pipeline_and_its_archive_needs_no_other(spacy_pipeline, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(spacy_pipeline, source)
    (tmp_path / "run").mkdir()
    parser_of(tmp_path / "run", pipeline=str(source)).prepare(ConlluCorpus())
    expected = SpacyParser(str(spacy_pipeline)).parse(TEXT)
    shutil.rmtree(source)
    for again in range(2):
        # The second time as in an archive, which has a vocabulary, and is removed after loading.
        parser = parser_of(tmp_path / "run", pipeline=str(source))
        parser.prepare(ConlluCorpus())
        if again:
            shutil.rmtree(tmp_path / "run")
        assert parser.parse(TEXT) == expected
        assert parser.is_trained_with
        (tmp_path / "run/vocabulary").mkdir(parents=True, exist_ok=True)


def test_another_parser_replaces_the_packed_one(spacy_pipeline, tmp_path):
    parser_of(tmp_path, pipeline=str(spacy_pipeline)).prepare(ConlluCorpus())
    (tmp_path / "vocabulary").mkdir()
    other = parser_of(tmp_path, pipeline="blank:en")
    other.prepare(ConlluCorpus())
    assert other.parse(TEXT).heads is None
    assert not other.is_trained_with


def test_two_readers_with_different_parsers(spacy_pipeline, tmp_path):
    shutil.copytree(spacy_pipeline, tmp_path / "other")
    parser_of(tmp_path, pipeline=str(spacy_pipeline)).prepare(ConlluCorpus())
    with pytest.raises(ConfigurationError, match="validation_dataset_reader: found the parser '.*/other' beside"):
        parser_of(tmp_path, pipeline=str(tmp_path / "other")).prepare(ConlluCorpus())


def test_a_pipeline_that_cannot_be_packed_is_used_where_it_is(spacy_pipeline, tmp_path, caplog):
    nlp = spacy.load(spacy_pipeline)
    nlp.tokenizer = spacy.blank("zh").tokenizer
    nlp.config["nlp"]["tokenizer"] = {"@tokenizers": "spacy.zh.ChineseTokenizer"}
    nlp.to_disk(tmp_path / "source")
    (tmp_path / "run").mkdir()
    parser = parser_of(tmp_path / "run", pipeline=str(tmp_path / "source"))
    parser.prepare(ConlluCorpus())
    assert "source: not packed" in caplog.text and "spacy.zh.ChineseTokenizer" in caplog.text
    assert not list((tmp_path / "run").iterdir())


def test_a_blank_pipeline_is_not_packed(tmp_path):
    parser_of(tmp_path, pipeline="blank:en").prepare(ConlluCorpus())
    assert not list(tmp_path.iterdir())


def test_sentences_are_annotated_where_there_is_a_parser(spacy_pipeline):
    sentence = Sentence(["Mara", "lived", "in", "Lindow", "."])
    (annotated,) = SpacyParser(str(spacy_pipeline)).annotate([sentence])
    assert annotated.heads == [2, 0, 4, 2, 2] and annotated.parser == str(spacy_pipeline)
    assert list(SpacyParser().annotate([sentence])) == [sentence]


def test_a_pipeline_and_a_treebank():
    with pytest.raises(ConfigurationError, match="found a parser with a pipeline and a treebank, expected one"):
        SpacyParser("blank:en", "train.conllu")
