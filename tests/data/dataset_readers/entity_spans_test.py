import json
import logging
import random
import time

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo
from helpers.paths import FIXTURES

from nerzoo.data.dataset_readers.entity_spans import EntitySpansReader
from nerzoo.formats.corpus import Corpus
from nerzoo.text.annotation import Document, Entity, Sentence, layer

TREEBANK = FIXTURES / "people_and_places/train.conllu"
COLUMNS = FIXTURES / "corpora/nested.tsv"
CHINESE = FIXTURES / "chinese/train.txt"
CHARACTERS_AND_WORDS = {
    "character": {"type": "single_id", "namespace": "character"},
    "word": {"type": "single_id", "namespace": "word", "feature_name": "word"},
}


def make_reader(corpus="conllu", **params):
    if corpus == "columns":
        corpus = {"type": "columns", "tag_column": [1, 2]}
    return DatasetReader.from_params(Params({"type": "entity_spans", "corpus": corpus, **params}))


def batch_of(reader, path):
    """All of a file as one batch, and its vocabulary."""
    loader = SimpleDataLoader.from_dataset_reader(reader, path, batch_size=1000)
    vocab = Vocabulary.from_instances(loader.instances)
    loader.index_with(vocab)
    (batch,) = loader
    return batch, vocab


def test_fields_of_a_sentence_with_nested_entities():
    instance, _ = make_reader("columns").read(COLUMNS)
    assert set(instance.fields) == {"tokens", "spans", "metadata"}
    words = ["The", "University", "of", "New", "York"]
    assert [token.text for token in instance["tokens"]] == words
    entities = [Entity(1, 5, "ORG"), Entity(3, 5, "LOC")]
    assert instance["spans"].entities == entities
    assert instance["metadata"].metadata == {
        "document_id": None,
        "words": words,
        "text": "The University of New York",
        "offsets": [0, 4, 15, 18, 22],
        "gold_entities": entities,
    }


@pytest.mark.parametrize(
    "corpus, path",
    [
        ("columns", COLUMNS),
        ("conllu", TREEBANK),
        ("ontonotes", FIXTURES / "corpora/example.gold_conll"),
        ("semeval2010", FIXTURES / "corpora/semeval2010.txt"),
    ],
)
def test_the_grid_has_every_entity_of_the_corpus(corpus, path):
    batch, vocab = batch_of(make_reader(corpus, max_length=50), path)
    labels = batch["spans"]["labels"]
    in_grid = [set() for _ in batch["metadata"]]
    for sentence, start, place in labels.nonzero().tolist():
        label = vocab.get_token_from_index(labels[sentence, start, place].item() - 1, "labels")
        in_grid[sentence].add((start, start + place + 1, label))
    assert any(in_grid)
    assert in_grid == [set(metadata["gold_entities"]) for metadata in batch["metadata"]]


def test_the_fixture_treebank_has_nested_entities():
    batch, _ = batch_of(make_reader(), TREEBANK)
    gold = [metadata["gold_entities"] for metadata in batch["metadata"]]
    assert (batch["spans"]["labels"] > 0).sum() == sum(map(len, gold)) == 389
    assert sum(len(layer(entities, "outermost")) for entities in gold) < 389
    assert batch["metadata"][0]["document_id"] == "the_letter"


def test_long_and_doubled_entities_are_logged_once_a_file_and_stay_gold(tmp_path, caplog):
    path = tmp_path / "file.jsonl"
    long = '{"start": 0, "end": 3, "label": "A"}'
    short = '{"start": 0, "end": 2, "label": "B"}, {"start": 0, "end": 2, "label": "A"}'
    path.write_text("".join(f'{{"words": ["x", "y", "z"], "entities": [{e}]}}\n' for e in (long, long, short)))
    with caplog.at_level(logging.INFO, logger="nerzoo.data.dataset_readers.entity_spans"):
        batch, vocab = batch_of(make_reader("jsonl", max_length=2), path)
    assert [record.getMessage() for record in caplog.records if "entities" in record.getMessage()] == [
        f"{path}: of 4 entities, 2 are longer than 2 tokens and 1 have the span of another with another type; "
        "no span has their label, but recall counts them"
    ]
    assert [metadata["gold_entities"] for metadata in batch["metadata"]] == [
        [Entity(0, 3, "A")],
        [Entity(0, 3, "A")],
        [Entity(0, 2, "A"), Entity(0, 2, "B")],
    ]
    assert batch["spans"]["labels"].nonzero().tolist() == [[2, 0, 1]]
    assert batch["spans"]["labels"][2, 0, 1] == 1 + vocab.get_token_index("A", "labels")
    assert batch["spans"]["inside"].tolist() == [[True] * 3, [True] * 3, [True, True, False]]


def test_nested_entities_are_logged_once_a_file(tmp_path, caplog):
    path = tmp_path / "file.jsonl"
    spans = [(0, 4), (0, 2), (0, 1), (2, 4)], [(0, 3), (3, 4)], [(0, 2), (2, 4)], [(0, 2), (1, 2)]
    entities = [[{"start": start, "end": end, "label": "A"} for start, end in sentence] for sentence in spans]
    path.write_text("".join(json.dumps({"words": list("wxyz"), "entities": some}) + "\n" for some in entities))
    with caplog.at_level(logging.INFO, logger="nerzoo.data.dataset_readers.entity_spans"):
        list(make_reader("jsonl").read(path))
    assert [record.getMessage() for record in caplog.records if "entities" in record.getMessage()] == [
        f"{path}: of 10 entities, 4 are inside another; a decoder needs 3 levels to find all, and recall counts those "
        "that one with fewer cannot find"
    ]


class Given(Corpus):
    """A corpus of one document."""

    def __init__(self, *sentences):
        self.document = Document(None, list(sentences))

    def read(self, path):
        yield self.document


def test_levels_of_entities_that_may_cross(caplog):
    generator = random.Random(1)
    for size in range(1, 60):
        bounds = [sorted(generator.sample(range(12), 2)) for _ in range(size)]
        spans = {tuple(span) for span in bounds}
        depths = [sum(a <= start and end <= b for a, b in spans) - 1 for start, end in spans]
        sentence = Sentence(["w"] * 12, entities=[Entity(start, end, "A") for start, end in spans])
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="nerzoo.data.dataset_readers.entity_spans"):
            list(EntitySpansReader(Given(sentence), max_length=12).read("file"))
        inner = sum(depth > 0 for depth in depths)
        expected = f"of {len(spans)} entities, {inner} are inside another; a decoder needs {max(depths) + 1} levels"
        assert expected in caplog.text or not inner and "inside another" not in caplog.text


@pytest.mark.parametrize("span", [lambda i, n: (i, 2 * n - i), lambda i, n: (i, i + 1), lambda i, n: (i, n + i)])
def test_very_many_entities_of_a_sentence(span):
    number = 30_000
    entities = [Entity(*span(i, number), "A") for i in range(number)]
    reader = EntitySpansReader(Given(Sentence(["w"] * 2 * number, entities=entities)))
    start = time.process_time()
    (instance,) = reader.read("file")
    assert instance["spans"].entities == entities
    # It took more than a minute when each entity was compared with each other one.
    assert time.process_time() - start < 10


def test_nothing_is_logged_where_spans_have_all_labels_and_nothing_is_nested(caplog):
    with caplog.at_level(logging.INFO, logger="nerzoo.data.dataset_readers.entity_spans"):
        list(make_reader({"type": "columns"}).read(CHINESE))
    assert not [record for record in caplog.records if "entities" in record.getMessage()]


def test_untagged_sentences():
    instance = make_reader().text_to_instance(Sentence(["Mara", "left"]), " Mara\tleft", tagged=False)
    assert set(instance.fields) == {"tokens", "metadata"}
    assert instance["metadata"].metadata["offsets"] == [1, 6]
    assert "gold_entities" not in instance["metadata"].metadata


def test_the_shards_of_workers_hold_every_sentence_once(few_sentences):
    def texts(worker=None):
        reader = make_reader()
        reader._set_worker_info(worker)
        return [instance["metadata"]["text"] for instance in reader.read(few_sentences)]

    shards = [texts(WorkerInfo(num_workers=2, id=worker)) for worker in range(2)]
    assert [len(shard) for shard in shards] == [3, 3]
    assert sorted(shards[0] + shards[1]) == sorted(texts())


def test_labels_of_words_are_an_error_that_names_the_sentence(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("I c\nis i\n")
    with pytest.raises(ConfigurationError, match="file.txt:1: found a label for each word, expected entities"):
        list(make_reader({"type": "columns", "coding_scheme": None}).read(path))


def test_a_type_unseen_in_training_is_a_warning_that_names_the_sentence(few_sentences, caplog):
    _, vocab = batch_of(make_reader(), few_sentences)
    instance = make_reader().text_to_instance(Sentence(["x"], entities=[Entity(0, 1, "law")], id="s-1"))
    instance.fields.pop("tokens")
    instance.index_fields(vocab)
    (message,) = caplog.messages
    assert message.startswith("s-1: found an entity of type 'law'") and "person" in message


@pytest.mark.parametrize("max_length", [0, -1])
def test_spans_have_one_token_at_least(max_length):
    with pytest.raises(ConfigurationError, match=f"found a max_length of {max_length}, expected"):
        make_reader(max_length=max_length)


def character_reader(corpus="jsonl", **params):
    indexers = {name: dict(params) for name, params in CHARACTERS_AND_WORDS.items()}
    return make_reader(corpus, character_level=True, token_indexers=indexers, **params)


def test_a_sentence_of_characters():
    sentence = Sentence(
        ["林月", "住", "在", "白石镇"],
        pos=["NR", "VV", "P", "NR"],
        heads=[2, 0, 4, 2],
        dep_labels=["nsubj", "root", "case", "obl"],
        entities=[Entity(0, 1, "person"), Entity(3, 4, "place")],
    )
    instance = character_reader().text_to_instance(sentence, "林月住在 白石镇")
    assert set(instance.fields) == {"tokens", "spans", "metadata"}
    found = [(token.text, token.word, token.idx, token.tag_) for token in instance["tokens"]]
    assert found == [
        ("林", "林月", 0, "NR"),
        ("月", "林月", 1, "NR"),
        ("住", "住", 2, "VV"),
        ("在", "在", 3, "P"),
        ("白", "白石镇", 5, "NR"),
        ("石", "白石镇", 6, "NR"),
        ("镇", "白石镇", 7, "NR"),
    ]
    entities = [Entity(0, 2, "person"), Entity(4, 7, "place")]
    assert instance["spans"].entities == instance["metadata"]["gold_entities"] == entities
    assert instance["metadata"]["words"] == list("林月住在白石镇")
    assert instance["metadata"]["offsets"] == [0, 1, 2, 3, 5, 6, 7]


def test_the_words_of_characters_are_indexed():
    batch, vocab = batch_of(character_reader({"type": "columns"}), CHINESE)
    assert "碧螺镇" in vocab.get_token_to_index_vocabulary("word")
    assert all(len(character) == 1 for character in list(vocab.get_token_to_index_vocabulary("character"))[2:])
    tokens = batch["tokens"]
    assert tokens["word"]["tokens"].shape == tokens["character"]["tokens"].shape
    words = [vocab.get_token_from_index(index, "word") for index in tokens["word"]["tokens"][0].tolist()[:5]]
    assert words == ["林月", "林月", "住", "在", "碧螺镇"]


def test_entities_may_be_parts_of_words_where_the_corpus_has_characters(tmp_path):
    path = tmp_path / "file.jsonl"
    entity = {"start": 1, "end": 3, "label": "place"}
    path.write_text(json.dumps({"words": list("在北京市"), "entities": [entity]}))
    (instance,) = character_reader().read(path)
    assert instance["metadata"]["gold_entities"] == [Entity(1, 3, "place")]


def test_lengths_are_counted_in_characters(tmp_path, caplog):
    path = tmp_path / "file.jsonl"
    entities = [{"start": 0, "end": 1, "label": "A"}, {"start": 1, "end": 3, "label": "A"}]
    path.write_text(json.dumps({"words": ["abcd", "e", "f"], "entities": entities}))
    with caplog.at_level(logging.INFO, logger="nerzoo.data.dataset_readers.entity_spans"):
        list(character_reader(max_length=3).read(path))
    assert f"{path}: of 2 entities, 1 are longer than 3 tokens" in caplog.text


def test_there_are_no_dependency_labels_of_characters():
    indexers = {"dep": {"type": "single_id", "feature_name": "dep_"}}
    reader = make_reader(character_level=True, token_indexers=indexers)
    with pytest.raises(ConfigurationError, match="found no dep_labels, which a token indexer needs"):
        reader.text_to_instance(Sentence(["ab"], heads=[0], dep_labels=["root"]))


def test_words_of_characters_without_characters_are_an_error():
    with pytest.raises(ConfigurationError, match="a token indexer of the word .* expected character_level to be true"):
        make_reader(token_indexers={"word": dict(CHARACTERS_AND_WORDS["word"])})


def test_a_second_pass_over_characters_is_an_error():
    with pytest.raises(ConfigurationError, match="found a first_pass with character_level, expected one of them"):
        make_reader(character_level=True, first_pass="gold")


def test_settings_of_tags_are_errors():
    with pytest.raises(ConfigurationError, match="coding_scheme"):
        make_reader(coding_scheme="BIO")


def test_is_registered():
    assert DatasetReader.by_name("entity_spans") is EntitySpansReader
