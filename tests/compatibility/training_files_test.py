"""That these files are whole or not at all is in `tests/recover_test.py`."""

import json

import pytest
from allennlp.common import Params, util
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.training import util as training_util

import nerzoo  # noqa: F401


def test_files_have_what_allennlp_writes(tmp_path, caplog):
    Params({"b": 1, "a": {"c": 2}}).to_file(tmp_path / "config.json")
    assert Params.from_file(tmp_path / "config.json").as_dict() == {"b": 1, "a": {"c": 2}}
    training_util.dump_metrics(str(tmp_path / "metrics.json"), {"f1": 0.5})
    assert json.loads((tmp_path / "metrics.json").read_text()) == {"f1": 0.5}
    util.dump_metrics(None, {"f1": 0.25})
    for word in ("a", "b"):
        Vocabulary(counter={"tokens": {word: 1}}).save_to_files(str(tmp_path / "vocabulary"))
        assert Vocabulary.from_files(str(tmp_path / "vocabulary")).get_token_index(word) == 2


def test_a_folder_with_something_else_is_not_one_of_a_run_that_never_began(tmp_path):
    (tmp_path / ".config.json.1.unfinished").touch()
    (tmp_path / "thesis.txt").touch()
    for recover in (False, True):
        with pytest.raises(ConfigurationError, match="already exists"):
            training_util.create_serialization_dir(Params({}), tmp_path, recover, force=False)
    assert len(list(tmp_path.iterdir())) == 2
