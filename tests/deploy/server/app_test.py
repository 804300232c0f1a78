import asyncio
import json
import threading

import pytest
from helpers.archives import assert_same
from helpers.served import NDJSON

from nerzoo.inference.tagger import Tagger

SENTENCES = [{"sentence": f"Mara {verb} in Calder."} for verb in ("lived", "worked", "slept")]
BAD = {"sentense": "Mara"}


def lines(response):
    assert response.headers["content-type"] == NDJSON
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.fixture
def blocked(monkeypatch, tagger):
    """Keeps predictions waiting until the event that it yields is set."""
    event = threading.Event()
    predict = tagger.predictor.predict_items

    def wait(*args):
        event.wait(20)
        return predict(*args)

    monkeypatch.setattr(tagger.predictor, "predict_items", wait)
    yield event
    event.set()


@pytest.fixture
def batches(monkeypatch, tagger):
    """The numbers of items that have been predicted together."""
    sizes = []
    predict = tagger.predictor.predict_items
    monkeypatch.setattr(tagger.predictor, "predict_items", lambda items: sizes.append(len(items)) or predict(items))
    return sizes


def test_one_item(client, tagger):
    answer = client().ask("/predict", SENTENCES[0])
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert_same(answer.json(), tagger(SENTENCES[0]))


def test_several_items_in_their_order(client, tagger):
    items = [*SENTENCES, {"words": []}, {"words": ["Mara", "left"]}]
    assert_same(client().ask("/predict", items).json(), list(tagger(items)))


def test_the_first_item_that_cannot_be_read_is_named_and_nothing_predicted(client, batches):
    answer = client().ask("/predict", [*SENTENCES, BAD, BAD])
    assert answer.status_code == 422
    assert answer.json()["index"] == 3 and "sentense" in answer.json()["error"]
    assert not batches


def test_one_item_that_cannot_be_read_has_no_index(client):
    assert client().ask("/predict", BAD).json().keys() == {"error"}


def test_streaming_gives_lines_with_errors_in_their_places(client, tagger):
    answer = client().ask("/predict", [SENTENCES[0], BAD, SENTENCES[1]], Accept=NDJSON)
    first, second, third = lines(answer)
    assert second["index"] == 1 and "sentense" in second["error"]
    assert_same([first, third], list(tagger(SENTENCES[:2])))


def test_lines_may_be_sent_too(client, tagger):
    body = "".join(json.dumps(item) + "\n" for item in SENTENCES).encode()
    assert_same(lines(client().ask("/predict", body, Accept=NDJSON, Content_Type=NDJSON)), list(tagger(SENTENCES)))


def test_nothing_but_bad_items_can_be_streamed(client):
    assert [line["index"] for line in lines(client().ask("/predict", [BAD, BAD], Accept=NDJSON))] == [0, 1]


def test_requests_are_predicted_together(client, tagger, batches):
    answers = client(wait=0.3).together(*(("/predict", item) for item in SENTENCES))
    assert_same([answer.json() for answer in answers], list(tagger(SENTENCES)))
    assert 3 in batches


def test_no_batch_has_more_tokens_than_allowed(client, batches):
    client(wait=0.3, batch_tokens=10).together(*(("/predict", item) for item in SENTENCES))
    assert batches == [2, 1]


def test_too_many_items(client):
    answer = client(items=2).ask("/predict", SENTENCES)
    assert answer.status_code == 422 and answer.json() == {"error": "found 3 items, expected at most 2 in a request"}


@pytest.mark.parametrize("accept", ["*/*", NDJSON])
def test_too_many_tokens(client, accept):
    asking = client(tokens=12)
    answer = asking.ask("/predict", SENTENCES, Accept=accept)
    assert answer.status_code == 422
    assert answer.json()["error"] == "found 15 tokens in the first 3 items, expected at most 12 in a request"
    found = asking.ask("/predict", [*SENTENCES, {"sentence": "Mara"}], Accept=accept).json()["error"]
    assert found == "found 13 words, expected at most 12 tokens in a request"


def test_too_large_a_body(client):
    answer = client(body=10).ask("/predict", SENTENCES[0])
    assert answer.status_code == 413
    assert answer.json() == {"error": "found a body of 37 bytes, expected at most 10"}


def test_too_large_a_body_that_does_not_say_so(client):
    sent = []

    async def chunks():
        for _ in range(100):
            sent.append(b" " * 4)
            yield sent[-1]

    answer = client(body=10).ask("/predict", chunks())
    assert answer.status_code == 413
    assert answer.json() == {"error": "found a body of more than 10 bytes, expected at most 10"}


def test_a_body_that_does_not_come(client):
    async def chunks():
        yield b"{"
        await asyncio.sleep(20)

    answer = client(seconds=0.1).ask("/predict", chunks())
    assert answer.status_code == 408 and "whole body within 0.1 s" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/predict", "/draw"])
def test_predictions_that_take_too_long(client, blocked, path):
    answer = client(seconds=0.2).ask(path, SENTENCES[0])
    assert answer.status_code == 504
    assert answer.json() == {"error": "found no prediction within 0.2 s, expected it to be there"}


def test_a_stream_that_takes_too_long_ends_with_the_error(client, blocked):
    (line,) = lines(client(seconds=0.2).ask("/predict", SENTENCES, Accept=NDJSON))
    assert line == {"error": "found no prediction within 0.2 s, expected it to be there", "index": 0}


def test_too_many_requests_but_health_is_always_told(client, blocked):
    asking = client(requests=1, seconds=1)
    slow, refused, health = asking.together(("/predict", SENTENCES[0]), ("/predict", SENTENCES[1]), ("/health",))
    assert (slow.status_code, refused.status_code, health.status_code) == (504, 429, 200)
    assert refused.headers["retry-after"] == "1" and "found 1 requests" in refused.json()["error"]
    blocked.set()
    assert asking.ask("/predict", SENTENCES[0]).status_code == 200


def test_what_goes_wrong_in_a_prediction_is_told_without_details(client, tagger, monkeypatch, caplog):
    def fail(instances):
        raise RuntimeError("secret")

    monkeypatch.setattr(tagger.predictor, "_predict", fail)
    for path in ("/predict", "/draw"):
        answer = client().ask(path, {"words": ["Mara", "left", "."]})
        assert (answer.status_code, answer.json()) == (500, {"error": "the server failed; its log says why"})
    assert "secret" in caplog.text


def test_what_goes_wrong_elsewhere_is_told_without_details(client, tagger, monkeypatch):
    def fail(*args):
        raise RuntimeError("secret")

    monkeypatch.setattr(tagger.predictor, "predict_items", fail)
    answer = client().ask("/predict", SENTENCES[0])
    assert (answer.status_code, answer.json()) == (500, {"error": "the server failed; its log says why"})


def test_the_model(client):
    facts = client().ask("/model").json()
    assert facts["labels"] == ["organization", "person", "place"]
    assert facts["name"] == "run" and facts["limits"]["items"] == 1000


def test_health(client):
    assert client().ask("/health").json() == {"status": "ok"}


def test_the_interface_is_described(client):
    described = client().ask("/openapi.json").json()
    assert described["paths"].keys() == {"/predict", "/draw", "/model", "/health"}
    assert {"200", "401", "408", "413", "415", "422", "429", "500", "504"} <= described["paths"]["/predict"]["post"][
        "responses"
    ].keys()
    assert "components" not in described
    assert "securitySchemes" in client(token="t").ask("/openapi.json").json()["components"]


def test_the_page_of_the_interface_needs_no_other_server(client):
    asking = client()
    html = asking.ask("/docs").text
    assert "http" not in html.replace("http://server", "")
    for path in ("/static/swagger-ui-bundle.js", "/static/swagger-ui.css", "/static/favicon.png"):
        assert path in html and asking.ask(path).status_code == 200


def test_other_paths_and_methods(client):
    asking = client()
    assert asking.ask("/nothing").status_code == 404
    assert "GET /nothing" in asking.ask("/nothing").json()["error"]
    found = asking.ask("/predict")
    assert found.status_code == 405 and found.headers["allow"] == "POST" and "GET /predict" in found.json()["error"]


def test_attention_is_drawn_and_predictions_stay_as_they_are(client, archives):
    tagger = Tagger.load(archives("deptree_ner"), device="cpu")
    item = {
        "words": ["Ada", "lives", "<script>"],
        "pos": ["NNP", "VBZ", "NNP"],
        "heads": [2, 0, 2],
        "dep_labels": ["nsubj", "root", "obl"],
    }
    asking = client(tagger=tagger)
    answer = asking.ask("/draw", item).json()
    assert "attention" in answer["prediction"] or "relative_attention" in answer["prediction"]
    assert any(each["title"].startswith("Attention of") for each in answer["drawings"])
    assert all("<script>" not in each["svg"] and "&lt;script&gt;" in each["svg"] for each in answer["drawings"])
    assert asking.ask("/predict", item).json().keys() == {"text", "words", "tags", "entities"}


def test_nothing_else_is_drawn_of_models_without_attention(client, tagger):
    answer = client().ask("/draw", SENTENCES[0]).json()
    assert_same(answer, {"prediction": tagger(SENTENCES[0]), "drawings": []})


def test_several_items_are_not_drawn(client):
    assert client().ask("/draw", SENTENCES).status_code == 422
    assert client().ask("/draw", BAD).status_code == 422
