"""AllenNLP's commands, from training to predictions, as a user types them in the root of the repository."""

import gzip
import json
import os
import subprocess
import sys

import pytest
import spacy
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.data.data_loaders import MultiProcessDataLoader
from helpers.commands import DEPTREE_NER, allennlp
from helpers.paths import FIXTURES, ROOT

from nerzoo.formats.jsonl import JsonlCorpus

TEST_FILE = FIXTURES / "people_and_places/test.conllu"
SCORES = ("precision", "recall", "f1", "accuracy")
SENTENCE = {
    "words": ["Ada", "lives", "in", "Varda"],
    "pos": ["NNP", "VBZ", "IN", "NNP"],
    "heads": [2, 0, 4, 2],
    "dep_labels": ["nsubj", "root", "case", "obl"],
}


@pytest.fixture
def evaluate(deptree_ner, tmp_path):
    def run(file, **overrides):
        output = tmp_path / "scores.json"
        allennlp("evaluate", deptree_ner / "model.tar.gz", file, "--output-file", output, overrides=overrides)
        return json.loads(output.read_text())

    return run


@pytest.fixture
def predict(deptree_ner, tmp_path):
    def run(file, *args, **overrides):
        output = tmp_path / "predictions"
        args = ["--output-file", output, "--silent", *args]
        allennlp("predict", deptree_ner / "model.tar.gz", file, *args, overrides=overrides)
        return output

    return run


@pytest.fixture
def predict_json(predict, tmp_path):
    def run(*inputs, **overrides):
        file = tmp_path / "input.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in inputs))
        return [json.loads(line) for line in predict(file, **overrides).read_text().splitlines()]

    return run


def test_training_reports_the_scores_of_the_best_epoch(deptree_ner):
    metrics = json.loads((deptree_ner / "metrics.json").read_text())
    assert {f"best_validation_{name}" for name in SCORES} <= metrics.keys()
    assert metrics["best_validation_f1"] > 0.5


def test_evaluation_scores_plain_and_gzipped_files_alike(evaluate, tmp_path):
    scores = evaluate(TEST_FILE)
    assert {*SCORES, "loss"} <= scores.keys()
    assert scores["f1"] > 0.5
    (tmp_path / "test.conllu.gz").write_bytes(gzip.compress(TEST_FILE.read_bytes()))
    assert evaluate(tmp_path / "test.conllu.gz") == scores


def test_predictions_for_a_corpus_describe_every_entity_and_are_a_corpus_again(predict):
    output = predict(TEST_FILE, "--use-dataset-reader")
    predictions = [json.loads(line) for line in output.read_text().splitlines()]
    entities = [entity for prediction in predictions for entity in prediction["entities"]]
    assert len(predictions) == 34 and entities
    for prediction in predictions:
        assert {"doc_id", "text", "words", "tags", "entities", "gold_tags"} == prediction.keys()
        assert len(prediction["words"]) == len(prediction["tags"]) == len(prediction["gold_tags"])
    for entity in entities:
        assert {"start", "end", "label", "text", "start_char", "end_char", "probability"} == entity.keys()
        assert 0 <= entity["probability"] <= 1
        assert entity["end_char"] - entity["start_char"] == len(entity["text"])

    documents = list(JsonlCorpus().read(output))
    assert [document.id for document in documents] == list(
        dict.fromkeys(sentence["doc_id"] for sentence in predictions)
    )
    sentences = [sentence for document in documents for sentence in document.sentences]
    assert [sentence.words for sentence in sentences] == [prediction["words"] for prediction in predictions]
    assert [list(map(tuple, sentence.entities)) for sentence in sentences] == [
        [(entity["start"], entity["end"], entity["label"]) for entity in prediction["entities"]]
        for prediction in predictions
    ]


def test_predictions_in_columns_score_as_evaluation_does(predict, evaluate):
    output = predict(TEST_FILE, "--use-dataset-reader", "--predictor-args", '{"output_format": "conll"}')
    blocks = output.read_text().strip().split("\n\n")
    gold, predicted = set(), set()
    for sentence, block in enumerate(blocks):
        _, gold_tags, tags = zip(*(line.split(" ") for line in block.split("\n")), strict=True)
        gold |= {(sentence, *span) for span in _spans(gold_tags)}
        predicted |= {(sentence, *span) for span in _spans(tags)}
    precision, recall = len(gold & predicted) / len(predicted), len(gold & predicted) / len(gold)
    scores = evaluate(TEST_FILE)
    expected = [precision, recall, 2 * precision * recall / (precision + recall)]
    assert [scores[name] for name in ("precision", "recall", "f1")] == pytest.approx(expected, abs=1e-12)


def _spans(tags):
    """Start, end and label of the entities in well-formed BIOUL tags."""
    for position, tag in enumerate(tags):
        if tag[0] in "BU":
            start = position
        if tag[0] in "LU":
            yield start, position, tag[2:]


def test_predictions_for_parsed_words_in_json(predict_json):
    first, empty = predict_json(SENTENCE, {"words": []})
    assert first["words"] == SENTENCE["words"]
    assert len(first["tags"]) == 4
    assert all(" ".join(first["words"])[e["start_char"] : e["end_char"]] == e["text"] for e in first["entities"])
    assert empty == {"entities": [], "text": "", "words": [], "tags": []}


def test_an_override_adds_attention_weights(predict_json):
    (prediction,) = predict_json(SENTENCE, **{"model.extra_outputs": ["attention"]})
    assert sum(prediction["global_attention"]) == pytest.approx(1)
    assert [sum(row) for row in prediction["relative_attention"]] == pytest.approx([1] * 4)
    assert [row[position] for position, row in enumerate(prediction["relative_attention"])] == [0] * 4


@pytest.mark.parametrize(
    "parser, found",
    [({"pipeline": "no_such_pipeline"}, "pipeline 'no_such_pipeline', .* cannot be loaded"), (None, "found no pos")],
)
def test_raw_text_without_a_parser_says_what_is_needed(predict_json, parser, found):
    with pytest.raises(ConfigurationError, match=f"{found}.*train one with `nerzoo train-parser`"):
        predict_json({"sentence": "Ada lives."}, **{"dataset_reader.parser": parser})


def test_raw_text_is_parsed_by_the_pipeline_that_an_override_names(predict_json, tmp_path):
    pipeline = spacy.blank("en")
    tagger, parser = pipeline.add_pipe("tagger"), pipeline.add_pipe("parser")
    tagger.add_label("NNP")
    parser.add_label("nsubj")
    pipeline.initialize()
    pipeline.to_disk(tmp_path / "pipeline")
    text = "Ada  lives in Varda."
    override = {"dataset_reader.parser": {"pipeline": str(tmp_path / "pipeline")}}
    words = ["Ada", "lives", "in", "Varda", "."]
    first, empty, split = predict_json({"sentence": text}, {"sentence": " "}, {"words": words}, **override)
    assert first["words"] == words and split["tags"] == first["tags"]
    assert all(text[entity["start_char"] : entity["end_char"]] == entity["text"] for entity in first["entities"])
    assert empty["words"] == []


def test_processes_that_read_data_find_the_same_sentences():
    def sentences(**kwargs):
        reader = DatasetReader.from_params(Params.from_file(ROOT / DEPTREE_NER)["dataset_reader"])
        loader = MultiProcessDataLoader(reader, TEST_FILE, batch_size=4, **kwargs)
        return sorted(instance["metadata"]["words"] for instance in loader.iter_instances())

    assert sentences(num_workers=2, max_instances_in_memory=8, start_method="fork") == sentences()


def test_a_new_process_finds_nerzoo_by_its_plugins_file_and_warns_of_nothing(few_sentences, tmp_path):
    (tmp_path / "nltk/tokenizers/punkt").mkdir(parents=True)
    # Without what env.sh says of progress bars, which are told from warnings below.
    env = {name: value for name, value in os.environ.items() if not name.startswith("TQDM_")} | {
        "NLTK_DATA": str(tmp_path / "nltk"),
        "PYTHONWARNINGS": "ignore::FutureWarning:fairscale.experimental.nn.offload",
        "ALLENNLP_LOG_LEVEL": "WARNING",
    }
    command = [sys.executable, "-m", "allennlp", "train", DEPTREE_NER, "-s", str(tmp_path / "run")]
    data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
    # The base class of this optimizer is one that transformers lacks.
    settings = {"trainer.num_epochs": 1, "trainer.optimizer.type": "huggingface_adamw", "dataset_reader.parser": None}
    command += ["--overrides", json.dumps({**data, **settings})]
    run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert [line for line in run.stderr.splitlines() if line and "it/s" not in line and "?it" not in line] == []
