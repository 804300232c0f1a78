"""The runner, with runs that write a file."""

import fcntl
import subprocess

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from nerzoo.files import digest
from nerzoo.runs.runner import (
    LOG_NAME,
    TrainingRun,
    check_is_empty,
    data_hashes,
    differences,
    missing,
    run_in_turn,
    run_logged,
    run_side_by_side,
    start_or_resume,
)


@pytest.fixture
def runs(tmp_path):
    """Three runs, the second of which is done."""
    found = [TrainingRun(name, tmp_path / name, tmp_path / name / "product", None) for name in "abc"]
    found[1].folder.mkdir()
    found[1].product.write_text("b")
    return found


def write(run):
    run.folder.mkdir(exist_ok=True)
    run.product.write_text(run.name)


def test_missing_runs_are_done_in_turn(runs, capsys):
    worked = []
    results = run_in_turn(runs, lambda run: (worked.append(run.name), write(run)), lambda path: path.read_text(), repr)
    assert next(results) == "a" and worked == ["a"]
    assert list(results) == ["b", "c"] and worked == ["a", "c"]
    assert capsys.readouterr().out.splitlines() == [
        "a (1 of 3): training",
        "a (1 of 3): 'a'",
        "b (2 of 3): 'b'",
        "c (3 of 3): training",
        "c (3 of 3): 'c'",
    ]


def test_a_run_that_fails_and_one_of_another_process_are_said(runs, capsys):
    def work(run):
        run_logged(run.folder, ["-c", "import os, sys; print(os.environ['WHO']); sys.exit(3)"], {"WHO": run.name})

    runs[2].folder.mkdir()
    with (runs[2].folder / LOG_NAME).open("a") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        assert run_side_by_side(runs, work, jobs=2) == [runs[2]]
    said = capsys.readouterr().out.splitlines()
    assert said == [f"a (1 of 2): FAILED, see {runs[0].folder}/log", "c (2 of 2): another process is at it"]
    assert (runs[0].folder / LOG_NAME).read_text() == "a\n"
    assert missing(runs) == [runs[0], runs[2]]
    with pytest.raises(subprocess.CalledProcessError):
        work(runs[0])
    assert run_side_by_side(runs, write, jobs=2) == []
    assert missing(runs) == [] and runs[2].product.read_text() == "c"


def test_what_was_unfinished_is_removed_from_a_new_folder(tmp_path):
    (tmp_path / ".settings.0123.unfinished").touch()
    (tmp_path / "before").touch()
    check_is_empty(tmp_path, "settings", "before")
    assert [path.name for path in tmp_path.iterdir()] == ["before"]
    with pytest.raises(ConfigurationError, match="not empty and without settings, expected a new folder"):
        check_is_empty(tmp_path, "settings")


def test_runs_go_on_with_the_same_settings_and_data(tmp_path):
    folder, data = tmp_path / "run", tmp_path / "data.txt"

    def start(epochs):
        settings = Params({"trainer": {"epochs": epochs}})
        return start_or_resume(folder, "settings.json", "training", settings, [str(data), None], "folds.json")

    data.write_text("a")
    assert start(1)
    (folder / "folds.json").touch()
    data.write_text("b")
    # No run has begun.
    assert start(2)
    (folder / "fold-0").mkdir()
    assert not start(2)
    with pytest.raises(ConfigurationError, match="found another training in .*run: trainer.epochs is 3 and was 2; exp"):
        start(3)
    data.write_text("c")
    with pytest.raises(ConfigurationError, match="another training in .*run: .*data.txt is another file; expected the"):
        start(2)
    (folder / "settings.json").unlink()
    with pytest.raises(ConfigurationError, match="run not empty and without settings.json, expected a new folder"):
        start(2)


def test_settings_without_hashes_of_an_earlier_version(tmp_path):
    (tmp_path / "settings.json").write_text('{"epochs": 1}')
    (tmp_path / "fold-0").mkdir()
    assert not start_or_resume(tmp_path, "settings.json", "training", Params({"epochs": 1}), [__file__])


def test_hashes_of_what_is_a_file_or_a_folder(tmp_path):
    file, folder = tmp_path / "data.txt", tmp_path / "brat"
    file.write_text("a")
    folder.mkdir()
    paths = [f"{file}#train", f"{file}#dev", None, [str(folder), "https://example.org/x.txt"], f"{tmp_path}/*.txt"]
    assert data_hashes(paths) == {str(file): digest(file), str(folder): digest(folder)}


def test_differences():
    before, now = {"seed": 1, "same": [1], "gone": "x"}, {"seed": 2, "same": [1], "new": None}
    assert differences(before, now) == ['gone is null and was "x"', "seed is 2 and was 1"]
    assert differences(before, now, str) == ["gone is None and was x", "seed is 2 and was 1"]
