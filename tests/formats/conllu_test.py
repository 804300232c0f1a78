import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import REAL_DATA

from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.text.annotation import Entity, layer


def word(id, form, head="_", upos="_", xpos="_", deprel="_", misc="_"):
    return "\t".join([id, form, "_", upos, xpos, "_", head, deprel, "_", misc])


def read(tmp_path, *lines, **kwargs):
    path = tmp_path / "file.conllu"
    path.write_text("\n".join(lines) + "\n")
    return list(ConlluCorpus(**kwargs).read(path))


def read_sentence(tmp_path, *lines, **kwargs):
    ((sentence,),) = [document.sentences for document in read(tmp_path, *lines, **kwargs)]
    return sentence


def test_a_sentence(tmp_path):
    sentence = read_sentence(
        tmp_path,
        "# sent_id = s-1",
        "# text = Anna left.",
        word("1", "Anna", "2", "PROPN", "NNP", "nsubj"),
        word("2", "left", "0", "VERB", "VBD", "root", "SpaceAfter=No"),
        word("3", ".", "2", "PUNCT", ".", "punct"),
    )
    assert sentence.words == ["Anna", "left", "."]
    assert sentence.pos == ["NNP", "VBD", "."]
    assert sentence.heads == [2, 0, 2]
    assert sentence.dep_labels == ["nsubj", "root", "punct"]
    assert sentence.entities == []
    assert sentence.text == "Anna left."
    assert sentence.id == f"{tmp_path}/file.conllu:3 (sentence s-1)"


def test_what_is_not_annotated_is_none(tmp_path):
    sentence = read_sentence(tmp_path, word("1", "_"))
    assert sentence.words == ["_"]
    assert sentence.pos is sentence.heads is sentence.dep_labels is None
    assert sentence.id == f"{tmp_path}/file.conllu:1"


def test_universal_tags_where_there_are_no_others(tmp_path):
    assert read_sentence(tmp_path, word("1", "a", upos="DET")).pos == ["DET"]


def test_documents(tmp_path):
    one = [word("1", "a"), ""]
    documents = read(tmp_path, *one, "# newdoc id = A", *one, *one, "# newdoc", *one)
    assert [(document.id, len(document.sentences)) for document in documents] == [("1", 1), ("A", 2), ("3", 1)]


def test_a_file_without_documents_is_one_without_an_id(tmp_path):
    one = [word("1", "a"), ""]
    (document,) = read(tmp_path, *one, *one)
    assert (document.id, len(document.sentences)) == (None, 2)


def test_ranges_and_empty_nodes_are_skipped(tmp_path):
    sentence = read_sentence(
        tmp_path,
        word("1-2", "don't", misc="SpaceAfter=No"),
        word("1", "do", "0"),
        word("2", "n't", "1"),
        word("2.1", "go"),
        word("3-4", "gonna"),
        word("3", "gon", "1", misc="SpaceAfter=No"),
        word("4", "na", "3", misc="SpaceAfter=No"),
        word("5", "it", "1"),
    )
    assert sentence.heads == [0, 1, 1, 3, 1]
    assert sentence.text == "don'tgonna it"


def test_several_roots_are_legal(tmp_path):
    assert read_sentence(tmp_path, word("1", "a", "0"), word("2", "b", "0")).heads == [0, 0]


def test_tagged_entities(tmp_path):
    lines = [word("1", "a", misc="NER=B-PER|SpaceAfter=No"), word("2", "b", misc="NER=E-PER"), word("3", "c")]
    assert read_sentence(tmp_path, *lines, coding_scheme="BIOES").entities == [Entity(0, 2, "PER")]
    with pytest.raises(ConfigurationError, match="file.conllu:2: found the tag 'E-PER'"):
        read(tmp_path, *lines)


MENTIONS = [
    word("1", "the", xpos="DT", misc="Entity=(7-person-new-nnnnn-cf1*-2,3-sgl(3-abstract-new-nnnnn-cf2-1-coref-A%2DB)"),
    word("2", "Mr.", xpos="NNP", misc="SpaceAfter=No|Entity=(4-object-new-nnnnn-cf3-2-sgl"),
    word("3", "X", xpos="NN", misc="Entity=4)7)"),
]


def test_bracketed_entities(tmp_path):
    sentence = read_sentence(tmp_path, *MENTIONS)
    assert sentence.entities == [Entity(0, 3, "person"), Entity(0, 1, "abstract"), Entity(1, 3, "object")]


def test_proper_names(tmp_path):
    assert read_sentence(tmp_path, *MENTIONS, proper_names=True).entities == [Entity(0, 3, "person")]


def test_proper_names_by_universal_tags(tmp_path):
    lines = [
        word("1", "Ana", xpos="_", upos="PROPN", misc="Entity=(1-person-new-n-_-1-ana)"),
        word("2", "it", xpos="_", upos="PRON"),
    ]
    assert read_sentence(tmp_path, *lines, proper_names=True).entities == [Entity(0, 1, "person")]


def test_a_file_without_proper_names(tmp_path):
    with pytest.raises(
        ConfigurationError, match="found 1 entities, none of them with a proper noun, expected proper_na"
    ):
        read(tmp_path, word("1", "it", xpos="PRP", misc="Entity=(1-object-new-n-_-1-ana)"), proper_names=True)


def test_a_sentence_without_proper_names_by_universal_tags(tmp_path):
    pronoun = word("1", "it", xpos="_", upos="PRON", misc="Entity=(1-object-new-n-_-1-ana)")
    assert read_sentence(tmp_path, pronoun, proper_names=True).entities == []


def test_declared_entity_fields(tmp_path):
    lines = ["# global.Entity = eid-head-etype", word("1", "a", misc="Entity=(e1-1-place)")]
    assert read_sentence(tmp_path, *lines).entities == [Entity(0, 1, "place")]
    with pytest.raises(ConfigurationError, match="found the entity 'e1-1-place', expected eid-head-etype"):
        read(tmp_path, *lines, proper_names=True)


@pytest.mark.parametrize(
    "lines, message",
    [
        (["# text = nothing"], r":1 \(sentence s\): found a sentence without words, expected at least one"),
        ([word("0.1", "empty")], "found a sentence without words"),
        (["1\ta\t_"], "found 3 columns, expected 10"),
        ([word("1", "a"), "2\tb"], "found 2 columns, expected 10"),
        ([word("1", "")], "found nothing in column 2"),
        ([word("1", "a"), word("3", "b")], "found the word id '3', expected 2"),
        ([word("x", "a")], "found the word id 'x', expected 1"),
        ([word("1", "a", "0"), word("2", "b", "3")], r":3 \(sentence s\): found the head 3, expected .* from 0 to 2"),
        ([word("1", "a", "0"), word("2", "b", "x")], "found the head 'x'"),
        ([word("1", "a", "0"), word("2", "b", "3"), word("3", "c", "2")], "found the cycle of heads 2 -> 3 -> 2"),
        ([word("1", "a", "2"), word("2", "b", "1")], "found a sentence without a root"),
        ([word("1", "a", misc="Entity=(1-person")], r":2 \(sentence s\): found the opening bracket '\(1-person'"),
        ([word("1", "a", misc="Entity=1)")], r"found the closing bracket '1\)'"),
        ([word("1", "a", misc="Entity=(1)")], "found the entity '1', expected GRP-etype-"),
        (
            [word("1", "a"), "# newdoc id = b", word("2", "b")],
            r":3 .*: found the comment '# newdoc id = b' after a word",
        ),
        ([word("2-3", "a"), word("1", "a")], "found the range 2-3, expected one from the next word, 1, on"),
        ([word("1-1", "a"), word("1", "a")], "found the range 1-1, expected one from the next word, 1, on"),
        ([word("1-2", "ab"), word("1", "a"), word("2-3", "bc")], "found the range 2-3, .* from the next word, 3, on"),
        (
            [word("1", "a"), word("2-4", "bc"), word("2", "b"), word("3", "c")],
            r":5 .* up to word 4, expected one up to 3",
        ),
        ([word("1", "a"), word("3.1", "b")], "found the empty node 3.1, expected one after word 1, 1.1"),
        (
            [
                word("1", "a", misc="Entity=(1-person"),
                word("2", "b", misc="Entity=(2-person"),
                word("3", "c", misc="Entity=1)"),
                word("4", "d", misc="Entity=2)"),
            ],
            "which crosses",
        ),
    ],
)
def test_bad_files(tmp_path, lines, message):
    with pytest.raises(ConfigurationError, match=message):
        read(tmp_path, "# sent_id = s", *lines)


@pytest.mark.skipif(not REAL_DATA.exists(), reason="needs the corpora in ../shared/data")
@pytest.mark.parametrize(
    "split, num_sentences, num_mentions, num_names, num_outermost",
    [("dev", 1022, 5133, 826, 558), ("test", 937, 5141, 1237, 800)],
)
def test_gum(split, num_sentences, num_mentions, num_names, num_outermost):
    def entities(**kwargs):
        documents = list(ConlluCorpus(**kwargs).read(REAL_DATA / f"gum/{split}.conllu.gz"))
        assert len(documents) == 20
        return [sentence.entities for document in documents for sentence in document.sentences]

    mentions, names = entities(), entities(proper_names=True)
    assert len(mentions) == num_sentences
    assert sum(map(len, mentions)) == num_mentions
    assert sum(map(len, names)) == num_names
    assert sum(len(layer(nested, "outermost")) for nested in names) == num_outermost
