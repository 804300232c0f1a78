"""The command `config`, on nerzoo's own configurations."""

import pytest
from allennlp.common.checks import ConfigurationError
from helpers.commands import nerzoo
from helpers.paths import CONFIGS, ROOT


def test_lists_what_configurations_are_and_their_scores(capsys):
    nerzoo("config", "list", "char_attention")
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("char_attention/ud_english_ewt/attention")
    assert lines[start + 1].startswith("    English Web Treebank, the language-specific parts of speech: attention")
    assert lines[start + 2] == "    Measured: test accuracy 94.7, 1 seed, 20 minutes"
    start = lines.index("char_attention/paper/pos_word")
    assert lines[start + 2] == "    Published test accuracy: 96.42"
    assert not [line for line in lines if line.startswith("deptree_ner")]
    with pytest.raises(ConfigurationError, match="found no configurations in no_such, expected one of bench, char_att"):
        nerzoo("config", "list", "no_such")


def test_shows_options_and_values_with_their_places(capsys):
    nerzoo("config", "options", "ner")
    shown = capsys.readouterr().out.splitlines()
    (line,) = [line for line in shown if line.startswith("word_min_count = 4")]
    assert "words that occur less often" in line and "lib/learned_words.libsonnet:" in line and "ner.jsonnet:" in line
    nerzoo("config", "show", "training_config/ner.jsonnet", "--set", "hidden_size=31")
    assert "    hidden_size: 31,  // ner.jsonnet:" in capsys.readouterr().out.replace("      hidden", "    hidden")


def test_the_values_that_differ(capsys):
    nerzoo("config", "diff", "deptree_ner/gum/full", "deptree_ner/gum/plain_bilstm")
    lines = capsys.readouterr().out.splitlines()
    assert "model.encoder.residual: true -> false" in lines
    assert 'model.encoder.relative_attention.type: "relative_attention" -> (none)' in lines
    nerzoo("config", "diff", "ner", CONFIGS / "ner.jsonnet")
    assert not capsys.readouterr().out


def test_a_copy_trains_with_other_options(tmp_path):
    copy, output = tmp_path / "mine.jsonnet", tmp_path / "output"
    nerzoo("config", "copy", "ner", copy)
    with pytest.raises(ConfigurationError, match="mine.jsonnet: found an output that exists"):
        nerzoo("config", "copy", "ner", copy)
    options = ["--set", "hidden_size=4", "--set", "character_filters=3", "-s", output]
    nerzoo("train", copy, *options, overrides={"trainer.num_epochs": 1})
    assert '"hidden_size": 4' in (output / "config.json").read_text()
    assert (output / "model.tar.gz").exists()


@pytest.mark.parametrize("option", ["hidden_size", "=3"])
def test_a_setting_without_name_or_value(option, capsys):
    with pytest.raises(SystemExit):
        nerzoo("train", "ner", "--set", option, "-s", ROOT / "output/none")
    assert f"found '{option}', expected OPTION=VALUE" in capsys.readouterr().err
