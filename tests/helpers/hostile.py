"""
Bad, extreme and hostile inputs as data: files of JSON lines in `tests/hostile_inputs`, with one case per line. A case
has a `kind`, a `name`, the input, and the expected `error`, or null for a valid input.
"""

import json
import signal
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.paths import ROOT

SECONDS = 10
HANDLED, CLEAR, UNCLEAR, WRONG = OUTCOMES = "handled", "clear error", "unclear", "wrong"


def cases(name):
    lines = (ROOT / f"tests/hostile_inputs/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return [pytest.param(row, id=f"{row['kind']}-{row['name']}".encode("unicode_escape").decode()) for row in rows]


def check(case, run, record_property):
    """
    Runs a case, and records its outcome for the table. A case is wrong if it raises no error although one is expected,
    or takes too long. It is unclear if it raises an error of another kind, or one that does not say what was found.
    """
    found, outcome = None, UNCLEAR
    try:
        with _limited_time():
            result = run()
        outcome = HANDLED if case["error"] is None else WRONG
    except ConfigurationError as error:
        found = str(error)
        is_clear = case["error"] is not None and case["error"] in found and len(found) < 2500
        outcome = CLEAR if is_clear else UNCLEAR
    except TimeoutError:
        outcome = WRONG
    finally:
        record_property("hostile", [case["kind"], outcome])
    assert found is None if case["error"] is None else found is not None, found
    assert outcome in (HANDLED, CLEAR), found
    return None if outcome == CLEAR else result


def table(reports):
    """Returns the counts of outcomes by kind, as rows of Markdown."""
    counts = {}
    for report in reports:
        for name, value in report.user_properties:
            if name == "hostile":
                row = counts.setdefault(value[0], dict.fromkeys(OUTCOMES, 0))
                row[value[1]] += 1
    rows = [[kind, sum(row.values()), *row.values()] for kind, row in sorted(counts.items())]
    rows.append(["all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])])
    header = ["kind of input", "cases", *OUTCOMES]
    return ["| " + " | ".join(map(str, row)) + " |" for row in (header, ["---"] * len(header), *rows)]


@contextmanager
def files(content, name="x"):
    """Returns the path of a file, or of a folder with several named files. Half surrogates are written as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = content if isinstance(content, dict) else {name: content}
        for file, text in paths.items():
            path = Path(folder, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        yield Path(folder) if isinstance(content, dict) else Path(folder, name)


def expanded(value):
    """Expands {"repeat": [value, number]} in a JSON value to a long string or list."""
    if isinstance(value, dict):
        if value.keys() == {"repeat"}:
            return value["repeat"][0] * value["repeat"][1]
        return {key: expanded(part) for key, part in value.items()}
    return [expanded(part) for part in value] if isinstance(value, list) else value


@contextmanager
def _limited_time():
    def stop(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
