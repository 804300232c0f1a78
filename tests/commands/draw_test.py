import pytest
from helpers.commands import allennlp
from helpers.drawings import WEIGHTS, prediction


def test_a_sentence_is_drawn(tmp_path):
    prediction(tmp_path / "p.jsonl", relative_attention=WEIGHTS)
    allennlp("draw", tmp_path / "p.jsonl", "--sentence", "1,1", "--output-file", tmp_path / "p.svg")
    svg = (tmp_path / "p.svg").read_text()
    assert "<title>Entities; Attention of entities; largest 0.50; Attention, row to column; largest 0.80</title>" in svg


def test_a_number_that_is_none(tmp_path, capsys):
    with pytest.raises(SystemExit):
        allennlp("draw", "p.jsonl", "--sentence", "1,b", "--output-file", tmp_path / "p.svg")
    assert "argument --sentence: invalid _numbers value: '1,b'" in capsys.readouterr().err
