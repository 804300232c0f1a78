import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.predictors import Predictor
from helpers.paths import FIXTURES, ROOT

from nerzoo.inference.threads import ThreadsPredictor

THREADS = FIXTURES / "threads/test.jsonl"
LINES = THREADS.read_text().splitlines()


@pytest.fixture(scope="module")
def predictor() -> ThreadsPredictor:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        params = Params.from_file("training_config/thread_structure.jsonnet")
        reader = DatasetReader.from_params(params["dataset_reader"])
        instances = list(reader.read(THREADS))
        for instance in instances:
            reader.apply_token_indexers(instance)
        model = Model.from_params(params["model"], vocab=Vocabulary.from_instances(instances))
    return Predictor.by_name(model.default_predictor)(model.eval(), reader)


def without_links(thread):
    return {**thread, "posts": [{**post, "links": None} for post in thread["posts"]]}


def test_predicts_the_same_with_and_without_links(predictor):
    threads = [predictor.load_line(line) for line in LINES]
    predictions = predictor.predict_batch_json(threads)
    mixed = [without_links(thread) if number % 2 else thread for number, thread in enumerate(threads)]
    assert predictor.predict_batch_json(mixed) == predictions
    assert predictor.predict_json(without_links(threads[1]))["posts"] == [
        {
            name: value if isinstance(value, str | None) else pytest.approx(value, rel=1e-4)
            for name, value in post.items()
        }
        for post in predictions[1]["posts"]
    ]
    for thread, prediction in zip(threads, predictions, strict=True):
        assert prediction.keys() == {"id", "posts"}
        assert prediction["id"] == thread["id"]
        assert [post["id"] for post in prediction["posts"]] == [post["id"] for post in thread["posts"]]
        assert prediction["posts"][0]["link"] is None
        assert json.loads(predictor.dump_line(prediction)) == prediction


def test_predicts_instances_of_a_file(predictor):
    instances = list(predictor._dataset_reader.read(THREADS))
    predictions = predictor.predict_batch_instance(instances)
    assert [prediction["id"] for prediction in predictions] == [json.loads(line)["id"] for line in LINES]
    assert predictor.predict_instance(instances[0])["id"] == predictions[0]["id"]
    for line, prediction in zip(LINES, predictions, strict=True):
        for post, predicted in zip(json.loads(line)["posts"], prediction["posts"], strict=True):
            assert {(link["to"], link["act"]) for link in predicted["gold_links"]} == {
                (link["to"], link["act"]) for link in post["links"]
            }
        assert json.loads(predictor.dump_line(prediction)) == prediction


def test_wrong_input_is_an_error(predictor):
    with pytest.raises(ConfigurationError, match="found the input 'no JSON' .*, expected a JSON object"):
        predictor.predict_json(predictor.load_line("no JSON\n"))
    with pytest.raises(ConfigurationError, match="input: post 1 .a.: found no author"):
        predictor.predict_json({"posts": [{"id": "a", "text": "x"}]})
