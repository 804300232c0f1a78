import pytest
from helpers.served import Client

from nerzoo.deploy.server.app import make_app
from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import model_facts
from nerzoo.inference.tagger import Tagger


@pytest.fixture(scope="session")
def tagger(archives):
    return Tagger.load(archives("ner"), device="cpu")


@pytest.fixture
def client(archives, tagger):
    """Makes a client of an application with some limits."""
    made = []

    def make(token=None, tagger=tagger, **limits):
        found = Limits(**limits)
        made.append(Client(make_app(tagger, model_facts(archives("ner"), tagger, found), found, token)))
        return made[-1]

    yield make
    for each in made:
        each.close()
