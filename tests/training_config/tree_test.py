"""The tree of configurations: short chains of imports, and rows that differ in the options of their table alone."""

import functools
import json
import os
import re

import pytest
from helpers.configurations import names
from helpers.paths import CONFIGS
from helpers.renderings import VARIABLES

from nerzoo.commands.config import differences
from nerzoo.configuration.sources import evaluate, imports

# The use of a row of the system's table.
ROW = re.compile(r"\(import '\.\./rows\.libsonnet'\)\.(\w+)")


@functools.cache
def imported(path):
    return {file for _, _, file in imports(path, path.read_text())}


@functools.cache
def depth(path):
    """The number of imports from a file to its oldest ancestor."""
    return max((1 + depth(file) for file in imported(path)), default=0)


def test_no_chain_of_imports_is_longer_than_three():
    assert not [name for name in names() if depth(CONFIGS / f"{name}.jsonnet") > 3]


def test_an_edit_of_the_tagger_to_start_from_changes_no_table():
    importing = [path for path in CONFIGS.rglob("*sonnet") if CONFIGS / "ner.jsonnet" in imported(path)]
    assert {path.parent.name for path in importing} == {"bench"}


@pytest.mark.parametrize("system", sorted(path.parent.name for path in CONFIGS.glob("*/rows.libsonnet")))
def test_rows_of_a_table_differ_in_their_options_alone(system):
    variables = {name: os.environ[name] for name in VARIABLES}
    options = "{ [n]: { [o]: rows[n][o] for o in std.objectFieldsAll(rows[n]) } for n in std.objectFields(rows) }"
    path = CONFIGS / system / "rows.libsonnet"
    rows = evaluate(path, f"local rows = import '{path}'; {options}", variables)
    assert evaluate(path, f"import '{path}'", variables) == dict.fromkeys(rows, {}), "a row has a field without ::"
    found = {}
    for name in names(f"{system}/*/*"):
        leaf = CONFIGS / f"{name}.jsonnet"
        if len(parts := ROW.split(leaf.read_text())) == 3:
            before, row, after = (part.replace("import '", f"import '{leaf.parent}/") for part in parts)
            values = ", ".join(f"{option}:: {json.dumps(value)}" for option, value in rows[row].items())
            found[row] = f"""{{
                local base = {before} {{}} {after},
                base: base,
                values: {{ [o]: base[o] for o in {list(rows[row])} if std.objectHasAll(base, o) }},
                row: import '{leaf}',
                set: {before} {{ {values} }} {after},
            }}"""
    assert found.keys() == rows.keys(), "a row is in no configuration"
    expression = ", ".join(f"{row}: {leaf}" for row, leaf in found.items())
    for row, leaf in evaluate(path, f"{{ {expression} }}", variables).items():
        # As by --set, which sets only options that there are.
        assert leaf["values"].keys() == rows[row].keys(), row
        assert not differences(leaf["row"], leaf["set"]), row
        assert bool(differences(leaf["base"], leaf["row"])) == (leaf["values"] != rows[row]), row
