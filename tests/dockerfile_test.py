"""What the Dockerfile copies is there, and is not ignored."""

import re

from helpers.paths import ROOT


def test_what_is_copied_is_what_is_not_ignored():
    lines = re.findall(r"^COPY (.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    copied = {name for line in lines for name in line.split()}
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "**" and {line[1:] for line in ignored if line.startswith("!")} == copied
    assert all((ROOT / name).exists() for name in copied)


def test_its_python_is_one_that_is_supported():
    (version,) = re.findall(r"^FROM python:3\.(\d+)-slim$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert f"Python :: 3.{version}" in (ROOT / "setup.cfg").read_text()
