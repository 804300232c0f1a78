"""What setup.cfg asks for, extras included, requirements.txt pins."""

from configparser import ConfigParser

import pytest
from helpers.paths import ROOT
from packaging.requirements import Requirement


def read_requirements(text):
    return [Requirement(line) for line in text.splitlines() if line]


CONFIG = ConfigParser()
CONFIG.read(ROOT / "setup.cfg")
EXTRAS = CONFIG["options.extras_require"].values()
NEEDED = read_requirements("\n".join([CONFIG["options"]["install_requires"], *EXTRAS]))
PINNED = read_requirements((ROOT / "requirements.txt").read_text())


@pytest.mark.parametrize("needed", NEEDED, ids=lambda requirement: requirement.name)
def test_requirement_has_a_pin_that_fits(needed):
    # Some have a pin for each of several versions of Python.
    versions = [str(pin.specifier).removeprefix("==") for pin in PINNED if pin.name == needed.name]
    # One with a marker is for some versions of Python.
    fits = any if needed.marker else all
    assert versions and fits(needed.specifier.contains(version) for version in versions), versions
