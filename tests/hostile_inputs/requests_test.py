"""Requests to a server that are none, extreme or hostile; what a client sends byte by byte is in `body`, as Latin-1."""

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.hostile import cases, check, expanded
from helpers.served import Client

from nerzoo.deploy.server.app import make_app
from nerzoo.deploy.server.requests import Limits
from nerzoo.inference.tagger import Tagger


@pytest.fixture(scope="module")
def client(archives):
    client = Client(make_app(Tagger.load(archives("ner"), "cpu"), {"name": "ner"}, Limits()))
    yield client
    client.close()


@pytest.mark.parametrize("case", cases("requests"))
def test_requests(case, client, record_property):
    answers = []

    def ask():
        body = None if case["method"] == "GET" else "".join(expanded(case.get("body", []))).encode("latin-1")
        answer = client.ask(expanded(case["path"]), body, case["method"], **expanded(case.get("headers", {})))
        answers.append(answer)
        if answer.status_code >= 400:
            # HEAD has no body to say why.
            raise ConfigurationError(answer.json()["error"] if answer.content else "")

    check(case, ask, record_property)
    assert answers[0].status_code == case["status"]
