from nerzoo.archives import own_configurations
from nerzoo.archives.own_configurations import is_own, remember


def test_a_configuration_is_own_once_it_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(own_configurations, "PATH", tmp_path / "cache/own")
    config = {"model": {"type": "a", "size": 3}, "dataset_reader": {"type": "b"}}
    assert not is_own(config)
    remember(config)
    remember(config)
    assert is_own({"dataset_reader": {"type": "b"}, "model": {"size": 3, "type": "a"}})
    assert not is_own({**config, "vocabulary": {}})
    assert len((tmp_path / "cache/own").read_text().splitlines()) == 1


def test_a_place_where_nothing_can_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(own_configurations, "PATH", tmp_path / "file/own")
    remember({})
    assert not is_own({})
    (tmp_path / "bytes").write_bytes(b"\xff")
    monkeypatch.setattr(own_configurations, "PATH", tmp_path / "bytes")
    assert not is_own({})
