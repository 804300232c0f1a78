"""Distillation from predictions. The tests of the command have teachers that are archives."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.configuration.check import read_configuration
from nerzoo.runs import distillation
from nerzoo.runs.distillation import distill

GOLD = FIXTURES / "people_and_places/dev.txt"
TEXTS = ["Mara Holt met Ann-Sofie. Nothing happened.", "Lindow is far."]
ENTITIES = [
    [
        {"start_char": 0, "end_char": 9, "label": "person", "text": "Mara Holt", "probability": 0.9},
        # A part of a word, by the keys of GLiNER.
        {"start": 14, "end": 20, "label": "person", "score": 0.6},
    ],
    [{"start_char": 0, "end_char": 6, "label": "city", "probability": 0.4}],
]


@pytest.fixture
def trained(monkeypatch):
    """The configurations of the students, which are not trained."""
    configs = []

    def train(config, folder, **options):
        configs.append(config.as_dict())
        folder.mkdir()
        (folder / "model.tar.gz").touch()

    monkeypatch.setattr(distillation, "train", train)
    return configs


@pytest.fixture
def files(tmp_path):
    """The paths of the predictions and of the texts."""
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    write(tmp_path / "p.jsonl", TEXTS, ENTITIES)
    return str(tmp_path / "p.jsonl"), str(tmp_path / "texts.txt")


def write(path, texts, entities):
    objects = [{"text": text, "entities": found} for text, found in zip(texts, entities, strict=True)]
    path.write_text("".join(json.dumps(obj) + "\n" for obj in objects))


def test_an_interrupted_training_on_other_data(files, tmp_path, monkeypatch):
    def train(config, folder, **options):
        folder.mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(distillation, "train", train)
    predictions, texts = files
    dev = tmp_path / "dev.txt"
    dev.write_text(GOLD.read_text())
    arguments = [predictions], texts, student(validation_data_path=str(dev)), str(tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        distill(*arguments)
    dev.write_text(GOLD.read_text() * 2)
    with pytest.raises(ConfigurationError, match="found another distillation in .*: .*dev.txt is another file; "):
        distill(*arguments)
    # Without the model, only the labels are kept.
    (tmp_path / "out/model").rmdir()
    with pytest.raises(KeyboardInterrupt):
        distill(*arguments)


def student(**overrides):
    return read_configuration("ner", {"train_data_path": str(GOLD), **overrides})


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_predictions_of_another_system(files, trained, tmp_path, capsys):
    predictions, texts = files
    summary = distill([predictions], texts, student(), str(tmp_path / "out"), weight=0.5, min_confidence=0.5)
    first, second, third = lines(tmp_path / "out/labelled.jsonl")
    assert [first["text"] for first in first["entities"]] == ["Mara Holt", "Ann-Sofie"]
    assert [sentence["confidence"] for sentence in (first, second, third)] == [0.6, 1.0, 0.4]
    assert second["words"] == ["Nothing", "happened", "."] and not second["entities"]
    counts = {"gold": (33, 271, 54), "kept": (2, 10, 2), "dropped": (1, 4, 1)}
    for name, (sentences, words, entities) in counts.items():
        assert summary[name] == {"sentences": sentences, "words": words, "entities": entities}
    assert json.loads((tmp_path / "out/distillation.json").read_text()) == summary
    assert "dropped: 1 sentences, 4 words, 1 entities" in capsys.readouterr().err
    # The gold data comes first. Its weight is 1.
    data = lines(tmp_path / "out/training.jsonl")
    assert [sentence["loss_weight"] for sentence in data] == [1.0] * 33 + [0.5] * 2
    assert summary["targets"] == "tags" and not any("marginals" in sentence for sentence in data)
    (config,) = trained
    expected = student().as_dict()
    assert config["dataset_reader"] == {**expected["dataset_reader"], "corpus": {"type": "jsonl"}}
    assert config["validation_dataset_reader"] == expected["dataset_reader"]
    assert config["train_data_path"] == str(tmp_path / "out/training.jsonl")


def test_types_that_the_gold_data_lacks_are_named(files, trained, tmp_path, capsys):
    assert distill([files[0]], files[1], student(), str(tmp_path / "out"))["only_labelled"] == ["city"]
    assert "the gold data has no entities of the types city, which" in capsys.readouterr().err


def test_other_parameters_for_the_same_labels(files, trained, tmp_path):
    output = tmp_path / "out"
    with pytest.raises(ConfigurationError, match="found none of 2 sentences with a confidence of 1, expected some"):
        write(tmp_path / "p.jsonl", TEXTS[1:], ENTITIES[1:])
        (tmp_path / "texts.txt").write_text("Lindow is far.\nLindow is far.\n")
        write(tmp_path / "p.jsonl", TEXTS[1:] * 2, ENTITIES[1:] * 2)
        distill([files[0]], files[1], student(), str(output), min_confidence=1)
    assert distill([files[0]], files[1], student(), str(output), 0.5)["kept"]["sentences"] == 2
    with pytest.raises(ConfigurationError, match="found another distillation in .*out: weight is 0.25 and was 0.5"):
        distill([files[0]], files[1], student(), str(output), 0.25)
    (output / "model/model.tar.gz").unlink()
    (output / "model").rmdir()
    distill([files[0]], files[1], student(), str(output), 0.25)
    assert lines(output / "training.jsonl")[-1]["loss_weight"] == 0.25 and len(trained) == 2
    (output / "model/model.tar.gz").unlink()
    (output / "model").rmdir()
    with pytest.raises(ConfigurationError, match="found another distillation in .*out: texts is "):
        distill([files[0]], str(GOLD), student(), str(output), 0.25)


@pytest.mark.parametrize(
    ("texts", "entities", "message"),
    [
        (TEXTS[:1], ENTITIES[:1], "p.jsonl: found no more lines, expected 'Lindow is far.', the text at .*texts.txt:2"),
        (TEXTS[::-1], ENTITIES, "p.jsonl:1: found the text 'Lindow is far.', expected 'Mara Holt met"),
        ([*TEXTS, "More."], [*ENTITIES, []], "p.jsonl:3: found a prediction after the last one, expected one for each"),
        (TEXTS, [[], None], "p.jsonl:2: found the entities None, expected a list"),
        (TEXTS, [[], [5]], "p.jsonl:2: found the entity 5, expected an object with start_char, end_char and label"),
        (TEXTS, [[], [{"start": 0, "end": True, "label": "X"}]], "p.jsonl:2: found the entity"),
        (TEXTS, [[], [{"start": 0, "end": 6, "label": "X", "score": 7}]], "p.jsonl:2: found the entity"),
        (TEXTS, [[], [{"start": 0, "end": 60, "label": "X"}]], "p.jsonl:2: found an entity from 0 to 60, expected 0"),
        (
            TEXTS,
            [[], [{"start": 0, "end": 5, "label": "X", "text": "Lindow"}]],
            "p.jsonl:2: found the entity .*, expected the text 'Lindo', from 0 to 5",
        ),
        (TEXTS, [[], [{"start": 0, "end": 6, "label": "X"}]], "entities without probabilities, expected them, or no"),
    ],
)
def test_predictions_that_are_not_those_of_the_texts(files, tmp_path, texts, entities, message):
    write(tmp_path / "p.jsonl", texts, entities)
    with pytest.raises(ConfigurationError, match=message):
        distill([files[0]], files[1], student(), str(tmp_path / "out"), min_confidence=0.1)


def test_texts_that_are_no_texts(files, tmp_path):
    (tmp_path / "words.jsonl").write_text('{"words": ["Lindow"]}\n')
    with pytest.raises(
        ConfigurationError, match=r"words.jsonl:1: found the input \{'words': \['Lindow'\]\}, expected a"
    ):
        distill([files[0]], str(tmp_path / "words.jsonl"), student(), str(tmp_path / "out"))
    (tmp_path / "texts.txt").write_text("\n")
    with pytest.raises(ConfigurationError, match="texts.txt: found no text, expected at least one"):
        distill(files[:1], files[1], student(), str(tmp_path / "out"))


@pytest.mark.parametrize(
    ("overrides", "options", "message"),
    [
        (
            {"dataset_reader.type": "tagged_documents"},
            {},
            "dataset_reader.type = 'tagged_documents', expected 'tagged_s",
        ),
        ({"dataset_reader.max_instances": 9}, {}, "found a student with dataset_reader.max_instances, expected none"),
        ({"model.type": "seq2biseq"}, {}, "model.type = 'seq2biseq', expected 'sequence_tagger'"),
        ({"model.encoder.hidden_size": "x"}, {}, "found model.encoder.hidden_size = 'x', expected an integer"),
        ({}, {"weight": -1}, "found the weight -1, expected at least 0"),
        ({}, {"min_confidence": 2}, "found the min_confidence 2, expected a number from 0 to 1"),
        ({}, {"targets": "marginals"}, "p.jsonl: found a teacher without marginals, expected --targets tags for it"),
    ],
)
def test_nothing_is_written_where_it_cannot_work(files, tmp_path, overrides, options, message):
    with pytest.raises(ConfigurationError, match=message):
        distill([files[0]], files[1], student(**overrides), str(tmp_path / "out"), **options)
    assert not (tmp_path / "out").exists()
