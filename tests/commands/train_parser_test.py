import json

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import allennlp
from helpers.paths import FIXTURES

from nerzoo.data.spacy_parser import SpacyParser

TREES = FIXTURES / "corpora/semeval2010.txt"


def test_the_folder_of_a_pipeline_that_a_configuration_can_name(tmp_path, capsys):
    corpus = json.dumps({"type": "semeval2010"})
    allennlp("train-parser", TREES, "-s", tmp_path / "parser", "--corpus", corpus)
    shown = capsys.readouterr().out
    assert "DEP_LAS" in shown and shown.endswith(f"finished: {tmp_path}/parser\n")
    sentence = SpacyParser(str(tmp_path / "parser")).parse("Mara lived in Calder.")
    assert len(sentence.heads) == len(sentence.pos) == 5
    with pytest.raises(ConfigurationError, match="parser: found an output that exists, expected the path of a new one"):
        allennlp("train-parser", TREES, "-s", tmp_path / "parser", "--corpus", corpus)
