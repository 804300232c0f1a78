"""The configurations of training_config/ as JSON: Jsonnet takes longer for one than a short training."""

import collections
import contextlib
import functools
import hashlib
import json
import os
import re
from pathlib import Path

from _jsonnet import evaluate_file as evaluate_alone, evaluate_snippet as evaluate_text
from helpers.paths import CONFIGS, ROOT


@functools.cache
def _variables_of(path):
    return _variables_in(path.read_text(encoding="utf-8"), path.parent)


def _variables_in(source, folder):
    """The names of the environment variables that a source reads, or a file that it imports."""
    imported = (Path(folder, name).resolve() for name in re.findall(r"import ['\"](.+?)['\"]", source))
    return {*re.findall(r"extVar\('(\w+)", source)}.union(*map(_variables_of, filter(Path.exists, imported)))


# The environment variables that configurations read.
VARIABLES = sorted(set().union(*map(_variables_of, CONFIGS.rglob("*sonnet"))))


def evaluate_snippet(name, text, ext_vars=None, **options):
    """
    Evaluates a text as Jsonnet does, which takes a twentieth of a second for the least one; JSON is only sorted. A text
    that imports only configurations of this repository is evaluated once for all processes of a run.
    """
    paths = re.findall(r'\bimport "(.+?)"', text)
    if not paths or not all(Path(path).is_relative_to(CONFIGS) for path in paths):
        return _sorted_json(text) or evaluate_text(name, text, ext_vars=ext_vars or {}, **options)
    variables = _read_variables(ext_vars)
    if text == f'import "{paths[0]}"':
        return _evaluate(Path(paths[0]), variables)
    file = _rendering(text, variables, _variables_in(text, CONFIGS))
    if not file.exists():
        _write(file, evaluate_text(name, text, ext_vars=dict(variables), **options))
    return file.read_text()


def evaluate_file(path, ext_vars=None):
    """Evaluates a file as Jsonnet does; a configuration or a table once for all processes of a run."""
    file = Path(path).resolve()
    if not (file.is_relative_to(CONFIGS) or file.is_relative_to(ROOT / "experiments/tables")):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if text := _sorted_json(file.read_text(encoding="utf-8")):
                return text
        return evaluate_alone(path, ext_vars=ext_vars or {})
    return _evaluate(file, _read_variables(ext_vars))


def _read_variables(ext_vars):
    return tuple((name, ext_vars[name]) for name in VARIABLES if name in (ext_vars or {}))


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


@functools.cache
def _evaluate(path, variables):
    file = _rendering(path, variables, _variables_of(path))
    if not file.exists():
        _missing[path.parent, variables] += 1
        if _missing[path.parent, variables] == 2:
            # A file that refuses these variables is not the one that is asked for, or says so below.
            with contextlib.suppress(RuntimeError):
                _evaluate_folder(path.parent, variables)
        if not file.exists():
            _write(file, evaluate_alone(str(path), ext_vars=dict(variables)))
    return file.read_text()


_missing = collections.Counter()


def _evaluate_folder(folder, variables):
    """Jsonnet reads what the files of a folder share once, when it renders them together."""
    imports = "".join(f"'{path}': import '{path}', " for path in folder.glob("*.jsonnet"))
    for path, config in json.loads(evaluate_text("", f"{{{imports}}}", ext_vars=dict(variables))).items():
        _write(_rendering(path, variables, _variables_of(Path(path))), json.dumps(config))


def _rendering(source, variables, names):
    """The file of what a path or a text gives with the variables of these names; it reads no others."""
    read = [(name, value) for name, value in variables if name in names]
    key = hashlib.sha256(repr((str(source), read)).encode()).hexdigest()
    return Path(os.environ["NERZOO_TESTS"], f"{key}.json")


def _write(file, text):
    """Writes all or nothing, since another process may read it."""
    part = file.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.rename(file)
