"""
The `config` subcommand:

    nerzoo config list deptree_ner
    nerzoo config options ner
    nerzoo config show ner --set hidden_size=100
    nerzoo config diff deptree_ner/gum/full deptree_ner/gum/plain_bilstm
    nerzoo config copy ner my_ner.jsonnet
"""

import argparse
import json
import re
from itertools import takewhile
from pathlib import Path
from typing import Any, Iterator, List, Mapping, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from nerzoo.commands.arguments import Command, add_options
from nerzoo.configuration.sources import (
    CONFIGURATIONS,
    RECORDS_NAME,
    commented,
    configuration_names,
    evaluate,
    external_variables,
    find_configuration,
    one_file,
    options,
    with_options,
)
from nerzoo.files import check_is_new, read_run_file, write_text

_LEAF = "a file, or the name of a configuration of nerzoo, such as deptree_ner/gum/full"


@Subcommand.register("config")
class Config(Command):
    """
    Finds configurations, shows one, its options or how two differ, or copies one with all that it imports into a file.
    Environment variables that are not set are shown as $NAME.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
        listed = actions.add_parser("list", help="list nerzoo's configurations, with their scores")
        listed.add_argument("system", nargs="?", default="", help="a folder of configurations, such as deptree_ner")
        shown = actions.add_parser("show", help="show a configuration, with the file and line of each value")
        shown.add_argument("leaf", metavar="CONFIG", help=_LEAF)
        add_options(shown)
        asked = actions.add_parser("options", help="list the options that --set sets, with their values and meaning")
        asked.add_argument("leaf", metavar="CONFIG", help=_LEAF)
        compared = actions.add_parser("diff", help="list the values that differ between two configurations")
        compared.add_argument("leaf", metavar="CONFIG", help=_LEAF)
        compared.add_argument("other", metavar="OTHER", help="the other configuration")
        copied = actions.add_parser("copy", help="write a configuration and all that it imports into one file")
        copied.add_argument("leaf", metavar="CONFIG", help=_LEAF)
        copied.add_argument("file", metavar="FILE", help="new file")

    def run(self, args: argparse.Namespace) -> None:
        if args.action == "list":
            return _list(args.system)
        path = find_configuration(args.leaf)
        if args.action == "show":
            print(commented(path, dict(args.set), external_variables(path)), end="")
        elif args.action == "options":
            _show_options(path)
        elif args.action == "diff":
            _show_differences(path, find_configuration(args.other))
        else:
            check_is_new(args.file)
            write_text(args.file, one_file(path))


def _list(system: str) -> None:
    names = [name for name in configuration_names() if system in ("", name) or name.startswith(f"{system}/")]
    if not names:
        systems = sorted({name.partition("/")[0] for name in configuration_names()})
        raise ConfigurationError(f"found no configurations in {system}, expected one of {', '.join(systems)}")
    records = read_run_file(CONFIGURATIONS / RECORDS_NAME, dict)
    for name in names:
        text = (CONFIGURATIONS / f"{name}.jsonnet").read_text(encoding="utf-8")
        lines = takewhile(lambda line: line.startswith("//"), text.splitlines())
        header = " ".join(line.lstrip("/ ") for line in lines)
        published = re.search(r"[Pp]ublished(?:[^.;\d])*\d(?:[^.;]|\.(?=\d))*", header)
        print(name)
        print(f"    {re.split(r'[.;] |[.;]$', header)[0]}.")
        facts = [published.group()] if published else []
        if name in records:
            facts.append(f"Measured: {measured_score(records[name])}")
        if facts:
            print(f"    {'; '.join(facts)}")


def measured_score(record: Mapping[str, Any]) -> str:
    """Returns the score in a record of `records.json` as text."""
    counts = {"seed": record["seeds"], "minute": round(record["minutes"])}
    percent = 1 if "perplexity" in record["metric"] else 100
    deviation = f" ± {percent * record['deviation']:.1f}" if record["deviation"] is not None else ""
    seeds, minutes = (f"{count} {name}" + "s" * (count != 1) for name, count in counts.items())
    score = f"{record['evaluation']} {record['metric']} {percent * record['mean']:.1f}{deviation}"
    return f"{score}, {seeds}, {minutes}"


def _show_options(path: Path) -> None:
    for option in options(path, external_variables(path)):
        value = json.dumps(option.value, ensure_ascii=False) if option.is_set else "(none)"
        meaning = f"  {option.meaning}" if option.meaning else ""
        print(f"{option.name} = {value}{meaning}  ({', changed in '.join(option.places)})")


def _show_differences(first: Path, second: Path) -> None:
    paths = (first, second)
    before, after = (evaluate(path, with_options(path, {}, {}), external_variables(path)) for path in paths)
    for difference in differences(before, after):
        print(difference)


def differences(first: Any, second: Any) -> List[str]:
    """Returns the values that differ between two rendered configurations, a line each."""
    flat = [{".".join(keys): json.dumps(value) for keys, value in _flat(config)} for config in (first, second)]
    found = []
    for name in sorted({*flat[0], *flat[1]}):
        before, after = (each.get(name, "(none)") for each in flat)
        if before != after:
            found.append(f"{name}: {before} -> {after}")
    return found


def _flat(value: Any) -> Iterator[Tuple[Tuple[str, ...], Any]]:
    """Yields the values in nested objects and lists that are neither, or are empty, with their keys and positions."""
    parts: Mapping[Any, Any] = value if isinstance(value, dict) else {}
    if isinstance(value, list):
        parts = dict(enumerate(value))
    if not parts:
        yield (), value
    for key, part in parts.items():
        yield from (((str(key), *keys), inner) for keys, inner in _flat(part))
