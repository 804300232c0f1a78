import pytest
from helpers.served import Client

from nerzoo import Tagger
from nerzoo.serving.app import make_app
from nerzoo.serving.limits import Limits
from nerzoo.serving.model_facts import model_facts


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
