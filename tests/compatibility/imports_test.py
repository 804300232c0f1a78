import pytest
from allennlp import commands
from allennlp.common.checks import ConfigurationError

import nerzoo.compatibility  # noqa: F401


@pytest.mark.parametrize("name, missing", [("nopackage", "nopackage"), ("nopackage.part", "nopackage")])
def test_a_package_that_is_not_there(name, missing):
    with pytest.raises(ConfigurationError, match=f"{name}: found no module {missing}, expected one"):
        commands.import_module_and_submodules(name)


def test_a_package_that_lacks_another_one(tmp_path, monkeypatch):
    (tmp_path / "halfpackage.py").write_text("import nopackage")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'nopackage'") as raised:
        commands.import_module_and_submodules("halfpackage")
    assert not isinstance(raised.value, ConfigurationError)
