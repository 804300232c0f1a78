import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo

from nerzoo.data.dataset_readers.entity_spans import with_first_pass
from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.text.annotation import Entity

GOLD = [
    {"doc_id": "a", "words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "person"}]},
    {"doc_id": "a", "words": ["It", "rained"], "entities": []},
    {"doc_id": "b", "words": ["In", "New", "York"], "entities": [{"start": 1, "end": 3, "label": "place"}]},
]
FOUND = [
    {"words": ["Mara", "left"], "entities": [{"start": 0, "end": 2, "label": "person", "probability": 0.75}]},
    {"words": ["It", "rained"], "entities": []},
    {
        "words": ["In", "New", "York"],
        "entities": [{"start": 1, "end": 3, "label": "place"}, {"start": 2, "end": 3, "label": "person"}],
    },
]


def write(path, sentences):
    path.write_text("".join(json.dumps(sentence) + "\n" for sentence in sentences))
    return str(path)


@pytest.fixture
def gold(tmp_path):
    return write(tmp_path / "gold.jsonl", GOLD)


@pytest.fixture
def found(tmp_path):
    return write(tmp_path / "found.jsonl", FOUND)


def make_reader(**params):
    return DatasetReader.from_params(Params({"type": "entity_spans", "corpus": "jsonl", **params}))


def read(gold, predictions=None):
    return list(with_first_pass(JsonlCorpus().read(gold), gold, predictions))


def test_predictions_for_each_sentence(gold, found):
    sentences = read(gold, found)
    assert [sentence.document_id for sentence in sentences] == ["a", "a", "b"]
    assert [sentence.sentence.words for sentence in sentences] == [sentence["words"] for sentence in GOLD]
    assert [sentence.sentence.entities for sentence in sentences][0] == [Entity(0, 1, "person")]
    assert [sentence.entities for sentence in sentences] == [
        [Entity(0, 2, "person")],
        [],
        [Entity(1, 3, "place"), Entity(2, 3, "person")],
    ]
    assert [sentence.location for sentence in sentences] == [f"{found}:{line}" for line in (1, 2, 3)]


def test_gold_entities_for_each_sentence(gold):
    sentences = read(gold)
    assert [sentence.entities for sentence in sentences] == [sentence.sentence.entities for sentence in sentences]
    assert sentences[2].entities == [Entity(1, 3, "place")]


def test_locations_are_lines_even_if_sentences_have_ids_and_lines_are_blank(gold, tmp_path):
    path = tmp_path / "found.jsonl"
    path.write_text("\n\n".join(json.dumps({**sentence, "id": "s"}) for sentence in FOUND))
    assert [sentence.location for sentence in read(gold, str(path))] == [f"{path}:{line}" for line in (1, 3, 5)]


def test_the_field_of_the_reader(gold, found):
    expected = {found: [[1, -1, 0], [0, 0, 0], [0, 2, -1]], "gold": [[1, 0, 0], [0, 0, 0], [0, 2, -1]]}
    for first_pass, entities in expected.items():
        instances = list(make_reader(first_pass=first_pass).read(gold))
        assert [instance["metadata"]["document_id"] for instance in instances] == ["a", "a", "b"]
        batch = Batch(instances)
        batch.index_instances(Vocabulary.from_instances(instances))
        tensors = batch.as_tensor_dict()
        assert tensors["first_pass"].tolist() == entities
        assert [sentence["gold_entities"] for sentence in tensors["metadata"]][2] == [Entity(1, 3, "place")]
    assert "first_pass" not in next(iter(make_reader().read(gold))).fields


def test_the_shards_of_workers_have_the_predictions_for_their_sentences(gold, found):
    instances = []
    for worker in range(2):
        reader = make_reader(first_pass=found)
        reader._set_worker_info(WorkerInfo(num_workers=2, id=worker))
        instances.extend(reader.read(gold))
    expected = {" ".join(sentence["words"]): len(sentence["entities"]) for sentence in FOUND[:2]} | {"In New York": 1}
    assert {instance["metadata"]["text"]: len(instance["first_pass"].entities) for instance in instances} == expected


def test_a_limit_on_instances_leaves_predictions_over(gold, found):
    assert len(list(make_reader(first_pass=found, max_instances=2).read(gold))) == 2


def test_a_type_that_the_model_does_not_know_is_an_error_that_names_file_and_line(gold, tmp_path):
    law = {"words": ["It", "rained"], "entities": [{"start": 0, "end": 1, "label": "law"}]}
    path = write(tmp_path / "found.jsonl", [FOUND[0], law, FOUND[2]])
    instances = list(make_reader(first_pass=path).read(gold))
    vocab = Vocabulary.from_instances(instances)
    with pytest.raises(ConfigurationError, match=r"found.jsonl:2: found an entity of type 'law'.*person, place"):
        Batch(instances).index_instances(vocab)


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (FOUND[:2], r"found.jsonl: found no prediction for .*gold.jsonl:3, expected one for"),
        ([*FOUND, FOUND[0]], r"found.jsonl:4: found an extra prediction, expected as many as .*gold.jsonl has"),
        (
            [FOUND[0], FOUND[2]],
            r"found.jsonl:2: found the words \['In', .*, expected those of .*gold.jsonl:2, "
            r"\['It', .*validation_dataset_reader without first_pass",
        ),
    ],
)
def test_other_sentences_are_errors(gold, tmp_path, predictions, message):
    path = write(tmp_path / "found.jsonl", predictions)
    with pytest.raises(ConfigurationError, match=message):
        list(make_reader(first_pass=path).read(gold))


def test_absent_predictions_are_an_error_that_names_the_command(gold, tmp_path):
    message = "nothing.jsonl: found no such file, expected .*`nerzoo cross-predict CONFIG -s FOLDER` writes FOLDER/pred"
    with pytest.raises(ConfigurationError, match=message):
        list(make_reader(first_pass=str(tmp_path / "nothing.jsonl")).read(gold))
