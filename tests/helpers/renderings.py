"""Jsonnet for the tests. The library takes longer for a configuration than a short training takes."""

import contextlib
import functools
import json
import re
from pathlib import Path

import rjsonnet
from _jsonnet import evaluate_file as evaluate_alone, evaluate_snippet as evaluate_text
from helpers.paths import CONFIGS, ROOT

# The environment variables that configurations read.
VARIABLES = sorted(
    {name for path in CONFIGS.rglob("*sonnet") for name in re.findall(r"extVar\('(\w+)", path.read_text())}
)


def evaluate_snippet(name, text, ext_vars=None, **options):
    """Evaluates a text as Jsonnet does."""
    paths = re.findall(r"\bimport ['\"](.+?)['\"]", text)
    # Longer texts are those that nest deeper than a parser can go.
    if all(map(_is_ours, paths)) and len(text) < 10_000:
        return _evaluate(rjsonnet.evaluate_snippet, evaluate_text, name, text, ext_vars=ext_vars or {}, **options)
    return _sorted_json(text) or evaluate_text(name, text, ext_vars=ext_vars or {}, **options)


def evaluate_file(path, ext_vars=None):
    """Evaluates a file as Jsonnet does."""
    if _is_ours(path):
        return _evaluate(rjsonnet.evaluate_file, evaluate_alone, str(path), ext_vars=ext_vars or {})
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if text := _sorted_json(Path(path).read_text(encoding="utf-8")):
            return text
    return evaluate_alone(str(path), ext_vars=ext_vars or {})


@functools.cache
def _is_ours(path):
    """Says whether a file is a configuration or a table of this repository."""
    return any(Path(path).resolve().is_relative_to(folder) for folder in (CONFIGS, ROOT / "experiments/tables"))


def _evaluate(evaluate, evaluate_slowly, *source, ext_vars, **options):
    """Evaluates what is to be right a hundred times as fast. What is wrong gets the error of the library."""
    callbacks = {name: functools.partial(_import_as_text, callback) for name, callback in options.items()}
    try:
        return evaluate(*source, ext_vars=dict(ext_vars), **callbacks)
    except RuntimeError:
        return evaluate_slowly(*source, ext_vars=dict(ext_vars), **options)


def _import_as_text(callback, folder, name):
    path, source = callback(folder, name)
    return path, source.decode()


def _sorted_json(text):
    """Returns what Jsonnet makes of a text that is JSON, and None for other texts and those that it refuses."""

    def unique(pairs):
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    def refuse(constant):
        raise ValueError

    try:
        return json.dumps(json.loads(text, object_pairs_hook=unique, parse_constant=refuse), sort_keys=True)
    except (ValueError, RecursionError):
        return None
