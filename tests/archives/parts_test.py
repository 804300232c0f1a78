import json

import pytest
from helpers.tampered import packed

from nerzoo.archives.parts import read_config


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_long_configuration_is_read_as_it_is(tmp_path, is_packed):
    config = {"model": {"labels": [f"label {number}" for number in range(20000)]}}
    path = tmp_path / "run"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    if is_packed:
        path = packed(path, tmp_path / "model.tar.gz")
    assert read_config("run", path) == config
