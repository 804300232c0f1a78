"""Docstrings open with a verb or a noun, and names are no riddles."""

import ast
import re

import pytest
from helpers.paths import ROOT

OPENINGS = {
    *("And", "As", "But", "For", "How", "If", "In", "Is", "Of", "Or", "Such", "That", "These", "Those", "What"),
    *("When", "Where", "Whether", "Which", "Who", "Whose", "With", "Without"),
}
FILES = sorted([*ROOT.glob("nerzoo/**/*.py"), *ROOT.glob("experiments/*.py"), *ROOT.glob("benchmarks/*.py")])


def docstrings(tree):
    """Docstrings of modules, classes and functions, and strings below constants and attributes, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value.split()


def names(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_open_with_a_verb_or_a_noun(path):
    found = docstrings(ast.parse(path.read_text()))
    assert not [f"{path}:{line}: {' '.join(words[:9])}" for line, words in found if words[0] in OPENINGS]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_are_no_riddles(path):
    found = names(ast.parse(path.read_text()))
    assert not [f"{path}:{line}: {name}" for line, name in found if re.match(r"_?of_", name)]
