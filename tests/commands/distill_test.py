import json
import shutil

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same
from helpers.commands import nerzoo
from helpers.paths import FIXTURES

from nerzoo.inference import tag
from nerzoo.inference.tagger import Tagger

SIZES = [option for size in ("hidden_size=3", "character_filters=3", "epochs=1") for option in ("--set", size)]
# Marginals have six digits, of which a batch of other sentences may change the last.
ROUNDING = 2e-6
TEXT = "Mara Holt lived in Lindow. Austin left."


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text(f"{TEXT}\n\n{TEXT.upper()}\n")
    return path


def distill(*args, output):
    nerzoo("distill", *args, "--student", "ner", *SIZES, "-s", output)
    return json.loads((output / "distillation.json").read_text())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_archive_labels_marginals(archives, texts, tmp_path, capsys):
    output = tmp_path / "out"
    summary = distill(archives("ner"), texts, "--weight", 0.5, output=output)
    tagger = Tagger.load(archives("ner"), overrides={"model.extra_outputs": ["marginals"]})
    expected = [sentence for text in (TEXT, TEXT.upper()) for sentence in tagger(text)["sentences"]]
    data = lines(output / "training.jsonl")
    assert summary["targets"] == "marginals" and summary["kept"]["sentences"] == len(expected) == 4
    for sentence, predicted in zip(data[-4:], expected, strict=True):
        assert sentence["words"] == predicted["words"]
        assert_same(sentence["marginals"], predicted["marginals"], ROUNDING)
        assert sentence["loss_weight"] == 0.5
    assert {tuple(sentence["marginals"]) for sentence in data[:-4]} == {()}
    assert "finished" in capsys.readouterr().out
    # The student reads its own data as before.
    nerzoo("evaluate", output / "model/model.tar.gz", FIXTURES / "people_and_places/dev.txt")
    f1 = json.loads((output / "model/metrics.json").read_text())["best_validation_f1"]
    assert f"f1 {100 * f1:.1f}," in capsys.readouterr().out


def test_an_archive_and_another_system_label_tags(archives, texts, tmp_path):
    predictions = tmp_path / "predictions.jsonl"
    entities = [{"start_char": 0, "end_char": 9, "label": "person"}]
    objects = [{"text": text, "entities": entities} for text in (TEXT, TEXT.upper())]
    predictions.write_text("".join(json.dumps(obj) + "\n" for obj in objects))
    summary = distill(archives("ner"), predictions, texts, output=tmp_path / "out")
    assert summary["targets"] == "tags"
    assert [len(sentence["words"]) for sentence in lines(tmp_path / "out/labelled.jsonl")] == [6, 3, 6, 3]


def test_an_interrupted_prediction_goes_on(archives, texts, tmp_path, monkeypatch):
    def append(self, entries, append=tag.Journal.append):
        append(self, entries[:1])
        raise KeyboardInterrupt

    output = tmp_path / "out"
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(tag.Journal, "append", append)
        distill(archives("ner"), texts, output=output)
    assert len((output / "teacher-1.jsonl.journal").read_text().splitlines()) == 2
    distill(archives("ner"), texts, output=output)
    whole = tmp_path / "whole"
    distill(archives("ner"), texts, output=whole)
    for name in ("labelled.jsonl", "training.jsonl"):
        assert_same(lines(output / name), lines(whole / name), ROUNDING)
    assert (output / "model/model.tar.gz").exists()


@pytest.mark.parametrize(
    ("job", "args", "message"),
    [
        (
            "memory_ner",
            [],
            "found marginals of tags in the coding scheme BIO, expected BIOUL, the student's, or --targets",
        ),
        ("fofe_ner", ["--targets", "marginals"], "found a teacher without marginals, expected --targets tags for it"),
        ("fofe_lm", [], "found a model that finds no entities, expected a tagger of entities, or a .jsonl file"),
    ],
)
def test_teachers_that_do_not_fit(archives, texts, tmp_path, job, args, message):
    with pytest.raises(ConfigurationError, match=message):
        distill(archives(job), texts, *args, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def predictions(tmp_path):
    """A file of predictions for the texts."""
    path = tmp_path / "predictions.jsonl"

    def write(label="person", **more):
        entities = [
            {"start_char": 0, "end_char": 9, "label": label},
            {"start_char": 19, "end_char": 25, "label": "place"},
        ]
        objects = [{"text": text, "entities": [entities[0] | more, entities[1]]} for text in (TEXT, TEXT.upper())]
        path.write_text("".join(json.dumps(obj) + "\n" for obj in objects))
        return path

    return write


def test_gold_data_and_predictions_that_were_corrected(texts, predictions, tmp_path):
    gold, output = tmp_path / "gold.txt", tmp_path / "out"
    gold.write_text((FIXTURES / "people_and_places/dev.txt").read_text())
    options = ["-o", json.dumps({"train_data_path": str(gold)})]
    before = distill(predictions("people"), texts, *options, output=output)
    assert before["only_labelled"] == ["people"]
    gold.write_text(gold.read_text() * 2)
    shutil.rmtree(output / "model")
    # The corrected file is as long as the one before: the content counts.
    after = distill(predictions("person"), texts, *options, output=output)
    assert after["gold"]["sentences"] == 2 * before["gold"]["sentences"] and after["only_labelled"] == []
    # Once there is a model, its training data stays as it is.
    data = (output / "training.jsonl").read_bytes()
    gold.write_text("")
    assert distill(predictions("people"), texts, *options, output=output) == after
    assert (output / "training.jsonl").read_bytes() == data


def test_other_texts_need_another_folder(archives, texts, tmp_path):
    distill(archives("ner"), texts, output=tmp_path / "out")
    shutil.rmtree(tmp_path / "out/model")
    texts.write_text(texts.read_text().replace("Mara", "Bara"))
    with pytest.raises(ConfigurationError, match="found another distillation in .*texts is"):
        distill(archives("ner"), texts, output=tmp_path / "out")


def test_a_probability_that_is_missing_is_1(texts, predictions, tmp_path):
    summary = distill(predictions(probability=0.3), texts, "--min-confidence", 0.5, output=tmp_path / "out")
    labelled = lines(tmp_path / "out/labelled.jsonl")
    assert [entity["probability"] for entity in labelled[0]["entities"]] == [0.3, 1.0]
    assert [sentence["confidence"] for sentence in labelled] == [0.3, 1.0, 0.3, 1.0]
    assert summary["dropped"]["sentences"] == 2


def test_texts_with_types_are_refused(archives, tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"text": TEXT}) + "\n" + json.dumps({"text": TEXT, "types": ["person"]}) + "\n")
    with pytest.raises(
        ConfigurationError, match=r"texts.jsonl:2: found the types \['person'\], expected a text for all"
    ):
        distill(archives("ner"), path, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_text_that_cannot_be_read_is_named(predictions, tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"text": TEXT}) + "\n{\n")
    with pytest.raises(ConfigurationError, match="texts.jsonl:2: found .* in column 2"):
        distill(predictions(), path, output=tmp_path / "out")


def test_gold_data_with_trees_and_texts_without(archives, texts, tmp_path, capsys):
    gold = FIXTURES / "people_and_places/train.conllu"
    changes = {"train_data_path": str(gold), "dataset_reader.corpus": "conllu", "validation_data_path": str(gold)}
    summary = distill(archives("ner"), texts, "-o", json.dumps(changes), output=tmp_path / "out")
    assert summary["left_out"] == ["pos", "heads", "dep_labels"]
    assert "left out, since some sentences have none: pos, heads, dep_labels\n" in capsys.readouterr().err


@pytest.mark.parametrize("targets", ["tags", "marginals"])
def test_gold_data_that_is_annotated_with_some_types_only(archives, texts, tmp_path, targets):
    gold = tmp_path / "gold.jsonl"
    entity = {"start": 0, "end": 1, "label": "person"}
    objects = [
        {"words": ["Mara", "left"], "entities": [entity], "types": ["person"]},
        {"words": ["Austin", "left"], "entities": [{**entity, "label": "event"}]},
    ]
    gold.write_text("".join(json.dumps(obj) + "\n" for obj in objects))
    dev = tmp_path / "dev.jsonl"
    dev.write_text(json.dumps({"words": ["Mara"], "entities": [entity]}) + "\n")
    changes = {"train_data_path": str(gold), "dataset_reader.corpus": "jsonl", "validation_data_path": str(dev)}
    distill(archives("ner"), texts, "--targets", targets, "-o", json.dumps(changes), output=tmp_path / "out")
    data = lines(tmp_path / "out/training.jsonl")
    labelled = {entity["label"] for sentence in data for entity in sentence["entities"]}
    assert data[0]["types"] == ["person"]
    assert all(set(sentence["types"]) == labelled | {"person", "event"} for sentence in data[1:])
