"""
The Jsonnet sources of a configuration: its options, which are the fields with `::` at the top of an object, the place
that each value comes from, and all files as one.

Jsonnet does not tell where a value comes from. Therefore the sources are evaluated with a further hidden field before
each field, named `@place` and the field. It is a list of places, which is inherited and added to as the field is, so
that its last place is that of the value.
"""

import json
import os
import re
import textwrap
from contextlib import suppress
from functools import lru_cache
from itertools import chain, count, pairwise, product
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from _jsonnet import evaluate_snippet
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import in_short, nearest

_TOKENS = re.compile(
    r"""
    (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
    |(?P<string>@'(?:[^']|'')*'|@"(?:[^"]|"")*"|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\|\|\|.*?\n\s*\|\|\|)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<colon>\+?:{1,3})
    |(?P<space>\s+)
    |(?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_OPENING, _CLOSING = {*"([{"}, {*")]}"}
_CONSTANT = {*"[]{},.-+", "true", "false", "null", "e", "E"}
CONFIGURATIONS = Path(__file__).parents[1].joinpath("training_config").resolve()
"""The folder of nerzoo's configurations, in a checkout of the repository a link."""
RECORDS_NAME = "records.json"
"""The file in that folder with the scores of configurations, from the runs of docs/results."""
DEFAULTS = {
    "EPOCHS": "",
    "SEED": "",
    "WORD_VECTORS": "",
    "WORD_VECTOR_SIZE": "100",
    "TRANSFORMER": "",
    "TRANSFORMER_SIZE": "768",
}
"""The values of external variables that the environment does not have."""
_SIZES = ("hidden_size", "d_model", "dim", "emb_dim")
"""The names that architectures of transformers have in `config.json` for the size of their vectors."""
# A use of a field, or a declaration of it as one that is not hidden.
_READ = r"(?:\.|\['|\[\"){0}\b|\b{0}['\"]?\s*\+?:(?!:)"
_KEYWORDS = {
    *("assert", "else", "error", "false", "for", "function", "if", "import", "importbin", "importstr", "in", "local"),
    *("null", "self", "super", "tailstrict", "then", "true"),
}
_TYPES = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}


class Field(NamedTuple):
    """
    A field in a source: where its name begins, in how many brackets, whether it is hidden, the text of its value, if
    that is a constant, and the comment on it, perhaps empty.
    """

    name: str
    start: int
    line: int
    depth: int
    is_hidden: bool
    constant: Optional[str]
    comment: str


class Option(NamedTuple):
    """
    An option of a configuration: its value, `None` if it has none yet or is a function; the comment on it, perhaps
    empty; the places that declare and change it, each a file and a line; and the text of its value, if that is a
    constant.
    """

    name: str
    value: Any
    is_set: bool
    meaning: str
    places: List[str]
    constant: Optional[str]


class Choice(NamedTuple):
    """The value that is chosen for an option, and the reason for it, a sentence."""

    value: Any
    reason: str


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def fields(source: str) -> Iterator[Field]:
    """Yields the fields of all objects in a source, but not those with computed names, and no methods."""
    tokens = [_Token(str(m.lastgroup), m.group(), m.start()) for m in _TOKENS.finditer(source)]
    code = [index for index, token in enumerate(tokens) if token.kind not in ("comment", "space")]
    depth = 0
    for before, name, colon in zip(code, code[1:], code[2:], strict=False):
        depth += (tokens[before].text in _OPENING) - (tokens[before].text in _CLOSING)
        is_name = tokens[name].kind in ("name", "string") and tokens[before].text in ("{", ",")
        if is_name and tokens[colon].kind == "colon":
            text, start = tokens[name].text, tokens[name].start
            text = text[1:-1] if tokens[name].kind == "string" else text
            line = source.count("\n", 0, start) + 1
            is_hidden = "::" in tokens[colon].text
            constant = None if "+" in tokens[colon].text else _constant(tokens[colon + 1 :])
            yield Field(text, start, line, depth, is_hidden, constant, _comment(source, tokens, name))


def _constant(tokens: Sequence[_Token]) -> Optional[str]:
    """Returns the text of the value that tokens begin with, or `None` where it has a name or an operator in it."""
    depth, text = 0, ""
    for token in tokens:
        if depth == 0 and token.text in (",", "}"):
            return text.strip()
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.kind == "comment":
            continue
        if not (token.kind in ("space", "string", "colon") or token.text in _CONSTANT or token.text.isdigit()):
            return None
        text += token.text
    return None


def _comment(source: str, tokens: Sequence[_Token], field: int) -> str:
    """Returns the comment behind a field, on its line, or else the lines of comments above it."""
    behind = []
    for token in tokens[field + 1 :]:
        if token.kind == "space" and "\n" in token.text:
            break
        if token.kind == "comment":
            behind.append(token.text)
    above: List[str] = []
    for token in reversed(tokens[:field]):
        # A blank line ends a comment, and a comment behind code is on that.
        if token.kind == "comment" and not source[: token.start].rpartition("\n")[2].strip():
            above.append(token.text)
        elif token.kind != "space" or token.text.count("\n") > 1:
            break
    return " ".join(text.lstrip("/# ").strip() for text in behind or reversed(above))


def find_configuration(name: Union[str, PathLike]) -> Path:
    """
    Returns the path of a configuration: the given one, or that of nerzoo's configuration with a name, such as
    `deptree_ner/gum/full`. Raises `ConfigurationError` where there is neither, with the nearest name.
    """
    path, own = Path(name), CONFIGURATIONS / f"{os.fspath(name).removesuffix('.jsonnet')}.jsonnet"
    if path.is_file() or not own.is_file():
        if not path.exists() and not path.is_absolute() and "." not in path.name:
            expected = nearest(name, configuration_names(), "one of `nerzoo config list`")
            raise ConfigurationError(f"{name}: found no file and no configuration of nerzoo, expected {expected}")
        if not path.exists():
            raise ConfigurationError(f"{name}: found no such file, expected a configuration")
        return path
    return own


def configuration_names() -> List[str]:
    """Returns the names of nerzoo's configurations."""
    return sorted(str(path.relative_to(CONFIGURATIONS).with_suffix("")) for path in CONFIGURATIONS.rglob("*.jsonnet"))


def with_defaults(variables: Mapping[str, str]) -> Dict[str, str]:
    """
    Adds `DEFAULTS` to external variables. `TRANSFORMER_SIZE` is then the size that the `config.json` in the folder
    `TRANSFORMER` has, if there is one.
    """
    found = {**DEFAULTS, **variables}
    folder = variables.get("TRANSFORMER")
    if folder and "TRANSFORMER_SIZE" not in variables:
        # A file that cannot be read is an error when the transformer is loaded.
        with suppress(OSError, ValueError, TypeError, StopIteration):
            facts = json.loads(Path(folder, "config.json").read_text(encoding="utf-8"))
            found["TRANSFORMER_SIZE"] = next(str(facts[name]) for name in _SIZES if name in facts)
    return found


def external_variables(path: Path) -> Dict[str, str]:
    """
    Returns the variables that a configuration reads: with `$` and their names where they have no value, or an empty one
    which the configuration does not take.
    """
    sources = _sources(path).values()
    names = {name for source in sources for name in re.findall(r"std\.extVar\(['\"](\w+)['\"]\)", source)}
    known = with_defaults(os.environ)
    values = {name: known.get(name, f"${name}") for name in sorted(names)}
    if not values:
        return {}
    with suppress(ConfigurationError):
        evaluate(path, with_options(path, {}, values), values)
        return values
    # A seed is a number, and every configuration takes none.
    return {name: value if value or name == "SEED" else f"${name}" for name, value in values.items()}


def check_options_are_read(path: Path) -> None:
    """
    Raises `ConfigurationError` where a configuration sets an option that neither itself nor its imports read, such as a
    misspelled one.
    """
    sources = _sources(path)
    hidden = {field.name: field for field in fields(sources[path.resolve()]) if field.depth == 1 and field.is_hidden}
    for source in sources.values():
        # A field of the configuration itself may be hidden, too.
        hidden = {name: hidden[name] for name in hidden if not re.search(_READ.format(re.escape(name)), source)}
    for name, field in hidden.items():
        known = {name for source in sources.values() for name in re.findall(_READ.format(r"(\w+)"), source)}
        expected = nearest(name, {part for parts in known for part in parts}, "one that the configuration reads")
        found = f"the option {name!r}, which nothing reads"
        raise ConfigurationError(f"{path}, line {field.line}: found {found}, expected {expected}")


def options(path: Path, variables: Mapping[str, str]) -> List[Option]:
    """Returns the options of a configuration. Raises `ConfigurationError` where its sources cannot be evaluated."""
    names = "[n for n in std.objectFieldsAll(c) if !std.objectHas(c, n) && std.objectHasAll(c, '@place ' + n)]"
    place, value = "c['@place ' + n]", "if std.isFunction(c[n]) then null else c[n]"
    try:
        parts = _evaluate_marked(path, f"{{ [n]: [{place}, {value}] for n in {names} }}", variables)
    except ConfigurationError:
        # An option without a value is an error, which ends the evaluation of all.
        places = _evaluate_marked(path, f"{{ [n]: {place} for n in {names} }}", variables)
        parts = {name: [declared] for name, declared in places.items()}
        # Most have a value: halves of those that fail are fewer evaluations than options.
        together = [list(places)]
        while together:
            part = together.pop()
            try:
                values = _evaluate_marked(path, f"{{ [n]: {value} for n in {json.dumps(part)} }}", variables)
            except ConfigurationError:
                middle = len(part) // 2
                together += [half for half in (part[:middle], part[middle:]) if middle]
            else:
                for name in part:
                    parts[name].append(values[name])
    in_sources = {
        (field.name, f"{file}:{field.line}"): field
        for file, source in _sources(path).items()
        for field in fields(source)
    }
    found = []
    for name, (declared, *values) in parts.items():
        declarations = [in_sources[name, place] for place in declared]
        meaning = next((declaration.comment for declaration in declarations if declaration.comment), "")
        constant = declarations[-1].constant
        shown = [*map(_shown, declared)]
        found.append(Option(name, next(iter(values), None), bool(values), meaning, shown, constant))
    return found


def _shown(place: str) -> str:
    """Returns a place with a path that is short: from the folder of nerzoo's configurations, or from here."""
    return os.path.relpath(place, CONFIGURATIONS if Path(place).is_relative_to(CONFIGURATIONS) else ".")


def with_options(path: Path, values: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    """
    Returns a Jsonnet expression for a configuration with other values for options. Raises `ConfigurationError` for an
    option that it does not have, with the nearest, or a value of another type.
    """
    if not values:
        return f"import {json.dumps(str(path.resolve()))}"
    known = {option.name: option.value for option in options(path, variables)}
    for name, value in values.items():
        if name not in known:
            raise ConfigurationError(f"{path}: found no option {name!r}, expected {nearest(name, known)}")
        if None not in (known[name], value) and _TYPES[type(known[name])] != _TYPES[type(value)]:
            found = f"found the option {name} = {json.dumps(value)}"
            raise ConfigurationError(f"{path}: {found}, expected a value such as {json.dumps(known[name])}")
    changes = ", ".join(f"{json.dumps(name)}:: {json.dumps(value)}" for name, value in values.items())
    return f"(import {json.dumps(str(path.resolve()))}) + {{ {changes} }}"


def _unchanged(path: Path, source: str) -> str:
    return source


def evaluate(
    path: Path, expression: str, variables: Mapping[str, str], change: Callable[[Path, str], str] = _unchanged
) -> Any:
    """
    Evaluates a Jsonnet expression of a configuration, whose imports are paths. Raises `ConfigurationError`, with the
    path of the configuration, where that fails. `change` is a function of the path of a file and its source, which
    returns the source to evaluate.
    """

    def imported(folder: str, name: str) -> Tuple[str, bytes]:
        path = Path(folder, name)
        return str(path), change(path, path.read_text(encoding="utf-8")).encode()

    try:
        return json.loads(evaluate_snippet("", expression, ext_vars=dict(variables), import_callback=imported))
    except RuntimeError as error:
        raise ConfigurationError(f"{path}: found a configuration that cannot be read ({in_short(error)})") from error


def _evaluate_marked(path: Path, expression: str, variables: Mapping[str, str], config: Optional[str] = None) -> Any:
    """
    Evaluates an expression of `c`, which is the configuration in a file, or `config`, an expression that imports it,
    with the places of its fields.
    """
    config = config or f"import {json.dumps(str(path.resolve()))}"
    return evaluate(path, f"local c = {config}; {expression}", variables, _marked)


@lru_cache(maxsize=100)
def _marked(path: Path, source: str) -> str:
    """Returns a source with a further field before each, which tells its place."""
    end, pieces = 0, []
    for field in fields(source):
        place = json.dumps(f"{path.resolve()}:{field.line}")
        pieces += [source[end : field.start], f"{json.dumps('@place ' + field.name)}+:: [{place}], "]
        end = field.start
    return "".join([*pieces, source[end:]])


def commented(path: Path, values: Mapping[str, Any], variables: Mapping[str, str]) -> str:
    """Returns a configuration with values for options as Jsonnet, with the place of each value in a comment."""
    expression = """
        local places(v, n) = if std.objectHasAll(v, '@place ' + n) then v['@place ' + n] else [''];
        local value(v) =
          if std.isArray(v) then std.map(value, v)
          else if std.isObject(v) then {
            [n]: { places: places(v, n), value: value(v[n]) } for n in std.objectFields(v)
          }
          else v;
        value(c)"""
    found = _evaluate_marked(path, expression, variables, with_options(path, values, variables))
    return "\n".join(_lines(found)) + "\n"


def _lines(value: Any, behind: str = "", place: str = "") -> Iterator[str]:
    """Yields the lines of a value in which each field of an object has its places, with a text `behind` it."""
    comment = f"  // {_shown(place)}" if place else ""
    items: List[Tuple[str, Any, str]] = []
    if isinstance(value, dict):
        items = [(f"{_key(name)}: ", field["value"], field["places"][-1]) for name, field in value.items()]
    elif isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        items = [("", part, "") for part in value]
    if not items:
        yield f"{json.dumps(value, ensure_ascii=False)}{behind}{comment}"
        return
    start, end = "{}" if isinstance(value, dict) else "[]"
    yield f"{start}{comment}"
    for key, part, part_place in items:
        first, *others = _lines(part, ",", part_place)
        yield f"  {key}{first}"
        yield from (f"  {line}" for line in others)
    yield f"{end}{behind}"


def _key(name: str) -> str:
    return name if name.isidentifier() and name not in _KEYWORDS else json.dumps(name, ensure_ascii=False)


def one_file(
    path: Path,
    heading: Optional[str] = None,
    chosen: Mapping[str, Choice] = MappingProxyType({}),
    variables: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """
    Returns a configuration and all files that it imports as one Jsonnet file. Its options are at the top, first the
    `chosen` ones, with their values and reasons, then others that have values of their own, not computed from others.
    `variables` take the place of external variables. `heading` is the comment above all.
    """
    sources = _sources(path)
    names: Dict[Path, str] = {}
    for file in sources:
        stem = re.sub(r"\W", "_", file.stem)
        candidates = chain([f"_{stem}"], (f"_{stem}_{number}" for number in count(2)))
        names[file] = next(name for name in candidates if name not in names.values())
    heading = heading or f"{path.name} with all that it imports. The options:"
    lines = [*_comment_lines(heading), "local options = {"]
    for name, choice in chosen.items():
        value = json.dumps(choice.value, ensure_ascii=False)
        if len(value) > 100:
            value = json.dumps(choice.value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
        lines += [*_comment_lines(choice.reason, "  "), f"  {_key(name)}:: {value},"]
    for option in options(path, {**external_variables(path), **variables}):
        if option.constant is not None and option.name not in chosen:
            lines += [*_comment_lines(option.meaning, "  "), f"  {_key(option.name)}:: {option.constant},"]
    lines.append("};")
    for file, source in sources.items():
        pieces, end = [], 0
        for start, stop, imported in imports(file, source):
            pieces += [source[end:start], names[imported]]
            end = stop
        whole = "".join([*pieces, source[end:]]).rstrip()
        for name, quote in product(variables, "'\""):
            whole = whole.replace(f"std.extVar({quote}{name}{quote})", json.dumps(variables[name]))
        lines += ["", f"local {names[file]} = (", whole, ");"]
    return "\n".join([*lines, "", f"{names[path.resolve()]} + options", ""])


def _comment_lines(text: str, indent: str = "") -> List[str]:
    return textwrap.wrap(text, 120, initial_indent=f"{indent}// ", subsequent_indent=f"{indent}// ")


def _sources(path: Path) -> Dict[Path, str]:
    """
    Returns the sources of a configuration and of all files that it imports, each behind those that it imports. Raises
    `ConfigurationError` where one cannot be read.
    """
    found: Dict[Path, str] = {}

    def add(file: Path) -> None:
        try:
            source = file.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ConfigurationError(f"{file}: found no such file, expected a configuration") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = f"a configuration that cannot be read ({in_short(error)})"
            raise ConfigurationError(f"{file}: found {reason}, expected one in UTF-8") from error
        for _, _, imported in imports(file, source):
            if imported not in found:
                add(imported)
        found[file] = source

    add(path.resolve())
    return found


def imports(file: Path, source: str) -> Iterator[Tuple[int, int, Path]]:
    """Yields where each import of a source begins and ends, and the file that it names."""
    if "import" not in source:
        return
    tokens = [match for match in _TOKENS.finditer(source) if match.lastgroup not in ("comment", "space")]
    for keyword, name in pairwise(tokens):
        if keyword.group() == "import" and name.lastgroup == "string":
            yield keyword.start(), name.end(), (file.parent / name.group().strip("'\"")).resolve()
