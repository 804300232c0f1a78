import pydoc
import re
from collections import defaultdict
from pathlib import Path
from typing import Dict, List, Set

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common import Registrable

import nerzoo  # noqa: F401, registers everything

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
NAMES = ROOT / "docs" / "names.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# CHANGELOG also has old names.
CURRENT_PAGES = [page for page in PAGES if page.name != "CHANGELOG.md"]


def registered() -> Dict[str, Set[str]]:
    """Returns the names that nerzoo registers, by the class that they are registered under."""
    names = defaultdict(set)
    for base, classes in Registrable._registry.items():
        if base is TrainModel:  # cross_validation_fold is a step of commands, not for configurations
            continue
        for name, (class_, _) in classes.items():
            if class_.__module__.startswith("nerzoo."):
                names[base.__name__].add(name)
    return dict(names)


def documented() -> Dict[str, Set[str]]:
    """Returns the names in the first column of the tables of names.md, by the heading above."""
    names = defaultdict(set)
    heading = ""
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line.startswith("| `"):
            names[heading].update(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return dict(names)


def anchors(page: Path) -> Set[str]:
    """Returns the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def code(page: Path) -> str:
    """Returns the indented blocks and the commands of console blocks of a page, with continued lines joined."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith(("    ", "$ "))]
    return "\n".join(lines).replace("\\\n", " ")


def expanded(path: str) -> List[str]:
    """Expands a path to patterns: `{a,b}` as in the shell, and `<row>` to any name."""
    begin, brace, rest = re.sub(r"<\w+>", "*", path).partition("{")
    names, _, end = rest.partition("}")
    return [begin + name + end for name in (names.split(",") if brace else [""])]


def files_of(folder: str) -> List[Path]:
    """Returns the Python and Jsonnet files below a folder."""
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".jsonnet", ".libsonnet")]


def test_there_are_registered_names():
    assert "sequence_tagger" in registered()["Model"]


@pytest.mark.parametrize("base", sorted(registered().keys() | documented().keys()))
def test_names_lists_what_is_registered(base):
    assert documented().get(base) == registered().get(base)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", CURRENT_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page):
    text = page.read_text(encoding="utf-8")
    paths = re.findall(
        r"(?<![\w/])(?:training_config|experiments|fixtures|benchmarks|nerzoo|tests|\.ci)/[\w./{},*<>-]*[\w}>]", text
    )
    # Prose names configurations by their path below training_config.
    named = re.findall(r"`(?!training_config/|experiments/)([\w/{},*<>-]+\.(?:jsonnet|libsonnet))`", text)
    paths += [f"training_config/{path}" for path in named]
    for path in paths:
        for pattern in expanded(path):
            assert list(ROOT.glob(pattern)), pattern


@pytest.mark.parametrize("page", CURRENT_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_name_modules_that_exist(page):
    for module in re.findall(r"python -m ((?:benchmarks|experiments)[\w.]*)", page.read_text(encoding="utf-8")):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists(), module


@pytest.mark.parametrize("page", CURRENT_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_modules_and_objects_exist(page):
    for name in set(re.findall(r"(?<![\w./])nerzoo(?:\.[A-Za-z_]\w*)+", page.read_text(encoding="utf-8"))):
        pydoc.locate(name) or pytest.fail(name)


@pytest.mark.parametrize("page", CURRENT_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist(page):
    known = registered()["Subcommand"] | {"train", "evaluate", "predict"}
    assert set(re.findall(r"\b(?:allennlp|nerzoo) ([a-z][\w-]*)", code(page))) <= known


def test_external_variables_are_documented():
    page = (ROOT / "docs/configurations.md").read_text(encoding="utf-8")
    for path in files_of("training_config"):
        for variable in re.findall(r"std\.extVar\('(\w+)'\)", path.read_text(encoding="utf-8")):
            assert f"`{variable}`" in page, path


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 110


@pytest.mark.parametrize("page", sorted((ROOT / "docs/results").glob("*.md")), ids=lambda page: page.stem)
def test_a_page_of_results_has_at_most_150_lines(page):
    assert page.stem == "README" or len(page.read_text(encoding="utf-8").splitlines()) <= 150


def test_data_is_named_by_results_alone():
    files = [*CURRENT_PAGES, *(path for name in ("nerzoo", "training_config", "benchmarks") for path in files_of(name))]
    for file in files:
        assert file.parent.name == "results" or "../shared/data" not in file.read_text(encoding="utf-8"), file
