import re

import pytest
from helpers.commands import train

from nerzoo.training import progress


@pytest.fixture
def said(few_sentences, tmp_path, monkeypatch, capsys):
    """Trains three epochs, and returns what is written on the standard error, on a terminal or not."""

    def run(is_terminal, **settings):
        monkeypatch.setattr(progress, "_has_terminal", lambda: is_terminal)
        data = {"train_data_path": str(few_sentences), "validation_data_path": str(few_sentences)}
        capsys.readouterr()
        train(tmp_path / f"run-{len(list(tmp_path.iterdir()))}", **data, **{"trainer.num_epochs": 3, **settings})
        return capsys.readouterr().err

    return run


def test_a_line_an_epoch_or_a_bar(said, monkeypatch):
    """Beside AllenNLP's bars there is nothing."""
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    assert "epoch" not in said(False)
    monkeypatch.setenv("TQDM_DISABLE", "1")
    lines = [line for line in said(False).splitlines() if line.startswith("epoch")]
    parts = r"loss \d+\.\d{4}, validation f1 \d+\.\d, best \d+\.\d in epoch [1-3], \d\d:\d\d left"
    assert [re.sub(parts, "...", line) for line in lines] == [f"epoch {number} of 3: ..." for number in (1, 2, 3)]
    assert lines[-1].endswith("00:00 left")
    bars = [text for text in re.split(r"[\r\n]", said(True)) if text.startswith("epoch")]
    assert bars[0].startswith("epoch 1 of 3   0%|")
    assert re.search(r"^epoch 3 of 3 100%\|.*, loss \d+\.\d{4}, validation f1 \d+\.\d, best \d+\.\d in epoch", bars[-1])


def test_a_bar_without_a_terminal_is_written_once(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_has_terminal", lambda: False)
    bar = progress.progress_bar(total=3, desc="tagging")
    for number in range(3):
        bar.set_description_str(f"tagging {number}", refresh=False)
        bar.update()
    bar.close()
    assert re.findall(r"tagging \d: +\d+%", capsys.readouterr().err) == ["tagging 2: 100%"]
    assert list(progress.progress_bar("abc")) == ["a", "b", "c"]
    assert capsys.readouterr().err.count("3/3") == 1
