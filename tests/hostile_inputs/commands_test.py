"""Commands with arguments that are missing, none, or contradict each other; what they find in the folder stays."""

import re

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.hostile import cases, check, files
from helpers.paths import FIXTURES


@pytest.mark.parametrize("case", cases("commands"))
def test_commands(case, archives, record_property, capsys, monkeypatch):
    """In an argument, @ is a folder with the files of the case, and $JOB an archive."""
    monkeypatch.setenv("WORD_VECTORS", "")
    # Where the exported form of an archive is kept, `tag` says the same in other words: here, none can be kept.
    monkeypatch.setenv("ALLENNLP_CACHE_ROOT", "/dev/null")
    found = {"before": {}, "after": {}}
    # Trained here, since the time of a case is limited.
    for text in case["args"]:
        argument(text, "", archives)

    def run():
        with files({"": ""} if not case["files"] else case["files"]) as folder:
            args = [argument(text, folder, archives) for text in case["args"]]
            found["before"] = contents(folder)
            try:
                nerzoo(*args)
            except SystemExit as error:
                if error.code not in (None, 0):
                    said = capsys.readouterr().err.strip().splitlines()
                    raise ConfigurationError(said[-1] if said else f"exit code {error.code}") from None
            except OSError as error:
                # A command says it in a line, see `nerzoo.errors`.
                raise ConfigurationError(str(error)) from None
            finally:
                found["after"] = contents(folder)

    check(case, run, record_property)
    assert found["before"].items() <= found["after"].items()
    # Of a file that was not written; trainings that a command goes on with have another name.
    assert not re.search(r"(^|/)\.[^/]*\.unfinished", "\n".join(found["after"]), re.MULTILINE)


def argument(text, folder, archives):
    if text.startswith("$"):
        return str(archives(text[1:]))
    text = text.replace("FIXTURES/", f"{FIXTURES}/")
    return re.sub('^@|(?<=["=,])@', f"{folder}/", text)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
