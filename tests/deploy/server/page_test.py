import base64
import hashlib
import re

from helpers.pages import Page

from nerzoo.deploy.server.app import page
from nerzoo.reports.svg import STYLE
from nerzoo.text.palette import TYPES


def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_is_whole_and_names_no_other_server():
    html, _ = page()
    read = Page(html)
    assert read.find("textarea", id="text") and read.find("label", **{"for": "text"})
    assert "//" not in re.sub(r"^\s*//.*", "", html.replace("</", ""), flags=re.MULTILINE)


def test_the_policy_allows_what_is_in_the_page_and_no_more():
    html, policy = page()
    read = Page(html)
    (script,), (style,) = (read.find(name) for name in ("script", "style"))
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "'self'"
    assert rules["script-src"] == digest(script[2])
    assert rules["style-src"] == f"{digest(style[2])} {digest(STYLE)}"


def test_the_script_knows_the_number_of_colours():
    assert f"const NUM_COLOURS = {len(TYPES)};" in page()[0]


def test_nothing_is_put_into_the_page_as_html():
    html, _ = page()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|\son\w+=", html)
