from importlib.metadata import PackageNotFoundError, version

import torch

from nerzoo.runs import machine as module
from nerzoo.runs.machine import machine, versions


def test_what_there_is():
    found = machine()
    assert found["processor"] and int(found["cores"]) >= 1 and found["memory"].endswith(" GiB")
    assert versions()["torch"] == torch.__version__.partition("+")[0]


def test_what_there_is_not(monkeypatch, tmp_path):
    def without_spacy(package):
        if package == "spacy":
            raise PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(module, "version", without_spacy)
    monkeypatch.setattr(module, "_CPU_INFO", tmp_path / "missing")
    assert "spacy" not in versions() and machine()["processor"]
