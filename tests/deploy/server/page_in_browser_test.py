"""The page in a headless Chromium, by the keyboard alone."""

import socket
import threading
import time

import pytest
import uvicorn
from helpers.browser import CONTROL, browser
from helpers.drawings import SENTENCE, WEIGHTS
from helpers.pages import chromium

from nerzoo.deploy.server.app import make_app
from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import model_facts
from nerzoo.text.splitting import split_text

pytestmark = pytest.mark.skipif(chromium() is None, reason="needs Chromium")
EVIL = "<img src=x onerror=document.title='evil'>"
TEXT = f"\U0001f600 Ada of {EVIL} sang."
RESULT = "document.querySelector('#result h2, #result details, #result .error')"


# Nested, crossing one another, and of the same characters.
ENTITIES = [
    {
        "start": 1,
        "end": 4,
        "label": EVIL,
        "text": TEXT[2 : 9 + len(EVIL)],
        "start_char": 2,
        "end_char": 9 + len(EVIL),
    },
    {"start": 1, "end": 2, "label": "PER", "text": "Ada", "start_char": 2, "end_char": 5, "probability": 0.25},
    {"start": 1, "end": 2, "label": "ART", "text": "Ada", "start_char": 2, "end_char": 5, "probability": 0.5},
    {
        "start": 2,
        "end": 5,
        "label": "CROSS",
        "text": TEXT[6 : 14 + len(EVIL)],
        "start_char": 6,
        "end_char": 14 + len(EVIL),
    },
]
WORDS = ["\U0001f600", "Ada", "of", EVIL, "sang", "."]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser") / "profile") as opened:
        yield opened


@pytest.fixture
def address(archives, tagger, monkeypatch):
    """Starts a server whose predictions are given, perhaps with a token; returns its address."""
    servers = []

    def start(prediction, token=None):
        monkeypatch.setattr(tagger.predictor, "predict_items", lambda items: [prediction for _ in items])
        limits = Limits()
        app = make_app(tagger, model_facts(archives("ner"), tagger, limits), limits, token)
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        servers.append((server, thread))
        while not server.started:
            time.sleep(0.01)
        return f"http://127.0.0.1:{listening.getsockname()[1]}/"

    yield start
    for server, thread in servers:
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (400, "dark")])
def test_entities_are_marked_in_each_other_by_the_keyboard_alone(page, address, width, scheme):
    page.open(address({"words": WORDS, "tags": ["O"] * 6, "entities": ENTITIES}), width, scheme=scheme)
    page.wait("document.getElementById('labels').textContent")
    assert page.evaluate("document.activeElement.id") == "text"
    page.type(TEXT)
    page.press("Tab")
    assert page.evaluate("document.activeElement.id") == "send"
    page.press("Enter")
    page.wait(RESULT)
    titles = "[...document.querySelectorAll('mark')].map((each) => each.title)"
    assert page.evaluate(titles) == [EVIL, "PER, probability 0.250", "ART, probability 0.500"]
    assert page.evaluate("document.querySelectorAll('mark mark mark').length") == 1
    shown = page.evaluate("document.querySelector('.sentence').textContent")
    assert shown == TEXT.replace("Ada", "AdaARTPER").replace(f"{EVIL} sang", f"{EVIL}{EVIL} sang")
    assert page.evaluate("document.querySelectorAll('tbody tr').length") == 4
    assert page.evaluate("document.title") == "run - nerzoo"
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not page.messages


def test_a_text_of_several_sentences_is_shown_as_it_is(page, address):
    text = "\U0001f600 Ada sang.\n\nAda left."
    found = [{"text": "Ada", "label": "PER", "start_char": start, "end_char": start + 3} for start in (2, 13)]
    split = split_text(text)
    sentences = [{"words": part.words, "offsets": part.offsets, "entities": []} for part in split]
    page.open(address({"text": text, "entities": found, "sentences": sentences}))
    page.wait("document.getElementById('labels').textContent")
    page.type(text)
    page.press("Enter", CONTROL)
    page.wait(RESULT)
    assert page.evaluate("document.querySelector('.sentence').textContent") == text.replace("Ada", "AdaPER")
    assert page.evaluate("document.querySelectorAll('.sentence').length") == 1
    assert page.evaluate("document.querySelectorAll('tbody tr').length") == 2
    assert not page.messages


def test_words_and_attention_are_drawn_without_a_breach_of_the_policy(page, address):
    page.open(address({**SENTENCE, "attention": WEIGHTS}), 400)
    page.type('{"words": ["Mara"]}')
    page.press("Enter", CONTROL)
    page.wait(RESULT)
    assert page.evaluate("document.querySelectorAll('#result svg').length") == 2
    assert page.evaluate("getComputedStyle(document.querySelector('.arc')).fill") == "none"
    assert page.evaluate("document.querySelector('.sentence').textContent").startswith(SENTENCE["words"][0])
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert not page.messages


def test_the_example_is_sent_and_its_json_has_words_in_one_line(page, address):
    page.open(address({"words": ["Ada", "{", "left"], "tags": ["O"] * 3, "entities": [], "nothing": None}))
    page.wait("document.getElementById('labels').textContent")
    page.press("Enter", CONTROL)
    page.wait(RESULT)
    assert page.evaluate("document.querySelector('#result details').open") is False
    assert page.evaluate("document.querySelector('#result pre').textContent") == (
        '{\n "words": ["Ada", "{", "left"],\n "tags": ["O", "O", "O"],\n "entities": [],\n "nothing": null\n}'
    )
    assert page.evaluate("document.querySelector('footer a').textContent") == "API"
    assert not page.messages


def test_what_is_no_sentence_is_shown_as_json(page, address):
    page.open(address({"perplexity": 3.5}))
    page.type("Mara")
    page.press("Enter", CONTROL)
    page.wait(RESULT)
    assert page.evaluate("document.querySelector('#result details[open] pre').textContent") == '{"perplexity": 3.5}'


def test_a_token_is_asked_for_and_errors_are_told(page, address):
    page.open(address({"words": [], "tags": [], "entities": []}, "secret"))
    page.wait("document.querySelector('.error')")
    assert page.evaluate("document.querySelector('.error').textContent") == "This server wants a token."
    assert page.evaluate("document.activeElement.id") == "token"
    page.type("secret")
    page.press("Tab")
    page.type('{"sentense": "Mara"}')
    page.press("Enter", CONTROL)
    page.wait("document.querySelector('.error').textContent.includes('sentense')")
    page.evaluate("document.getElementById('text').value = 'Mara'")
    page.press("Enter", CONTROL)
    page.wait("document.querySelector('#result .hint')")
    assert page.evaluate("document.querySelector('#result .hint').textContent") == "No entities."
    page.wait("document.getElementById('name').textContent === 'run'")


def test_the_page_of_the_interface_works(page, address):
    page.open(f"{address({})}docs")
    page.wait("document.querySelectorAll('.opblock').length === 4")
    assert not page.messages
