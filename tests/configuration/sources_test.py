"""Options of configurations, the places of values, and copies as one file, on nerzoo's own and on small ones."""

import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import CONFIGS
from hypothesis import given, settings, strategies as st

from nerzoo.configuration.check import read_configuration
from nerzoo.configuration.sources import (
    commented,
    configuration_names,
    evaluate,
    external_variables,
    fields,
    find_configuration,
    one_file,
    options,
)

BASE = """
// The base.
local half = import 'half.libsonnet';
{
  // Sizes.
  size:: error 'size:: is missing',  // of a layer, in 'units'
  double:: 2 * self.size,
  half:: half(self.size),
  rate:: 0.5,
  // The kind: one,
  // or two.
  kind:: 'one',
  odd:: { 'a,b': [1, { c: 2 }], d:: 3 },

  model: { size: $.size, sizes: [self.size, $.double], kind: $.kind, odd: $.odd, rate: $.rate, half: $.half },
}
"""
LEAF = "(import 'lib/base.libsonnet') {\n  size:: 3,\n  odd+:: { e: 4 },\n  model+: { more: true },\n}\n"


@pytest.fixture
def leaf(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/base.libsonnet").write_text(BASE)
    (tmp_path / "lib/half.libsonnet").write_text("// Halves.\nfunction(size) size / 2\n")
    path = tmp_path / "leaf.jsonnet"
    path.write_text(LEAF)
    return path


def test_options_have_values_meanings_and_all_places(leaf, monkeypatch):
    monkeypatch.chdir(leaf.parent)
    found = {option.name: option for option in options(leaf, {})}
    assert [*found] == ["double", "half", "kind", "odd", "rate", "size"]
    assert found["size"].value == 3 and found["size"].constant == "3"
    assert found["size"].places == ["lib/base.libsonnet:6", "leaf.jsonnet:2"]
    assert found["size"].meaning == "of a layer, in 'units'"
    assert found["kind"].meaning == "The kind: one, or two." and found["kind"].constant == "'one'"
    assert found["double"].value == 6 and found["double"].constant is None
    assert found["odd"].value == {"a,b": [1, {"c": 2}], "e": 4} and found["odd"].constant is None


def test_an_option_without_a_value(leaf):
    leaf.write_text("import 'lib/base.libsonnet'")
    found = {option.name: option for option in options(leaf, {})}
    assert not found["size"].is_set and not found["double"].is_set and found["rate"].value == 0.5


def test_other_values_for_options_change_what_is_computed_from_them(leaf):
    config = read_configuration(leaf, options={"size": 5, "kind": "two"}).as_dict(quiet=True)
    assert config["model"]["sizes"] == [5, 10] and config["model"]["kind"] == "two" and config["model"]["half"] == 2.5
    # Overrides come last.
    config = read_configuration(leaf, {"model.size": 7}, options={"size": 5}).as_dict(quiet=True)
    assert config["model"]["size"] == 7 and config["model"]["sizes"] == [5, 10]


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("sise", 3, "found no option 'sise', expected 'size'"),
        ("model", {}, "found no option 'model', expected one of double, half, kind, odd, rate, size"),
        ("kind", 3, 'found the option kind = 3, expected a value such as "one"'),
        ("rate", "fast", 'found the option rate = "fast", expected a value such as 0.5'),
        ("odd", [], r"found the option odd = \[\], expected a value such as {"),
    ],
)
def test_bad_options(leaf, name, value, message):
    with pytest.raises(ConfigurationError, match=f"leaf.jsonnet: {message}"):
        read_configuration(leaf, options={name: value})


def test_a_configuration_that_cannot_be_evaluated(leaf):
    leaf.write_text("{ a: $.b }")
    message = "leaf.jsonnet: found a configuration that cannot be read .RUNTIME ERROR: field does not exist: b"
    for read in (read_configuration, lambda path: commented(path, {}, {})):
        with pytest.raises(ConfigurationError, match=message):
            read(leaf)


def test_an_option_that_nothing_reads(leaf):
    leaf.write_text(LEAF.replace("  size:: 3,", "  size:: 3,\n  knid:: 'two',"))
    with pytest.raises(ConfigurationError, match="leaf.jsonnet, line 3: found the option 'knid', .*, expected 'kind'"):
        read_configuration(leaf)


def test_each_value_has_its_place(leaf, monkeypatch):
    monkeypatch.chdir(leaf.parent)
    text = commented(leaf, {"size": 4}, {})
    assert "    size: 4,  // lib/base.libsonnet:15\n" in text and "    more: true,  // leaf.jsonnet:4\n" in text
    assert evaluate(leaf, text, {}) == read_configuration(leaf, options={"size": 4}).as_dict(quiet=True)


def test_one_file_is_the_same_configuration_and_takes_options(leaf, tmp_path):
    copy = tmp_path / "elsewhere/copy.jsonnet"
    copy.parent.mkdir()
    copy.write_text(one_file(leaf))
    assert read_configuration(copy).as_dict(quiet=True) == read_configuration(leaf).as_dict(quiet=True)
    assert "  // of a layer, in 'units'\n  size:: 3,\n" in copy.read_text()
    copy.write_text(copy.read_text().replace("  size:: 3,", "  size:: 8,"))
    assert read_configuration(copy).as_dict(quiet=True)["model"]["sizes"] == [8, 16]
    copy.write_text(copy.read_text().replace("  size:: 8,", "  seize:: 8,"))
    with pytest.raises(ConfigurationError, match="found the option 'seize', .*, expected 'size'"):
        read_configuration(copy)


def test_missing_files(leaf, tmp_path):
    (tmp_path / "lib/half.libsonnet").unlink()
    with pytest.raises(ConfigurationError, match="half.libsonnet: found no such file, expected a configuration"):
        read_configuration(leaf)


def test_variables_without_a_value_are_shown_by_their_names(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonnet"
    path.write_text("{ a: std.extVar('NO_SUCH'), b: std.extVar('SEED'), c: std.extVar('GIVEN') }")
    monkeypatch.delenv("SEED", raising=False)
    monkeypatch.setenv("GIVEN", "value")
    assert external_variables(path) == {"GIVEN": "value", "NO_SUCH": "$NO_SUCH", "SEED": ""}
    path.write_text("local v = std.extVar('WORD_VECTORS'); { a: if v == '' then error std.extVar('SEED') else v }")
    monkeypatch.setenv("WORD_VECTORS", "")
    assert external_variables(path) == {"SEED": "", "WORD_VECTORS": "$WORD_VECTORS"}


def test_names_of_configurations(tmp_path, monkeypatch):
    assert find_configuration("deptree_ner/gum/full") == CONFIGS / "deptree_ner/gum/full.jsonnet"
    assert find_configuration("ner.jsonnet") == CONFIGS / "ner.jsonnet"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ner").write_text("{}")
    assert str(find_configuration("ner")) == "ner"
    with pytest.raises(
        ConfigurationError, match="gum/fulll: found no file and no conf.*, expected 'deptree_ner/gum/full'"
    ):
        find_configuration("deptree_ner/gum/fulll")


def test_every_option_of_the_shared_parts_has_a_meaning():
    missing = []
    for path in CONFIGS.glob("*/base.libsonnet"):
        source = path.read_text()
        declared = [field for field in fields(source) if field.depth == 1 and field.is_hidden]
        missing += [f"{path.parent.name}: {field.name}" for field in declared if not field.comment]
    assert not missing


def test_reads_comments_that_are_not_indented():
    assert [field.comment for field in fields("{\n// One.\n// Two.\na: 1,\n\n// Other.\n\nb: 2 }")] == ["One. Two.", ""]


@pytest.mark.parametrize("name", configuration_names()[::30])
def test_copies_of_nerzoos_configurations(name, tmp_path):
    path = CONFIGS / f"{name}.jsonnet"
    variables = external_variables(path)
    expected = evaluate(path, f"import {json.dumps(str(path))}", variables)
    copies = f"[({one_file(path)}), ({commented(path, {}, variables)})]"
    assert evaluate(path, copies, variables) == [expected, expected]


KEYS = st.text("ab, :{}[]'\"/#\\", max_size=3) | st.sampled_from(["error", "local", "import"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(st.characters(codec="utf-8"), max_size=4),
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.text("ab, :{}[]'\"/#@\\", max_size=3), parts, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=25)
@given(value=st.dictionaries(st.sampled_from("abc"), JSON))
def test_any_object_keeps_its_values(value, tmp_path_factory):
    path = tmp_path_factory.mktemp("any") / "any.jsonnet"
    path.write_text(json.dumps(value), encoding="utf-8")
    # Together: Jsonnet takes longer to start than for such a value.
    assert evaluate(path, f"[({commented(path, {}, {})}), ({one_file(path)})]", {}) == [value, value]
