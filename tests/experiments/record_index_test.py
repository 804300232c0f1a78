"""The scores of configurations are those of the records."""

import json
import re

from helpers.paths import CONFIGS, ROOT

from experiments.record_index import corpus_rows, record_index, with_score
from experiments.runs import TableRun
from nerzoo.configuration.sources import RECORDS_NAME


def test_the_committed_scores_are_those_of_the_records(monkeypatch):
    monkeypatch.chdir(ROOT)
    # All configurations are rendered for their fingerprints, which takes half a minute.
    monkeypatch.setattr(TableRun, "fingerprint", property(lambda run: run.record["fingerprint"]))
    committed = json.loads((CONFIGS / RECORDS_NAME).read_text())
    assert len(committed) > 60
    assert record_index() == committed
    # The score of the network, not that of the baselines that read the configuration.
    assert committed["thread_structure/irc/me_crf"]["minutes"] > 1


def test_a_score_is_the_last_line_of_the_comment_at_the_top():
    scores = {"evaluation": "test", "metric": "f1", "mean": 0.5, "deviation": 0.01, "seeds": 3, "minutes": 1.2}
    source = "// A row.\n{ a: 1 }  // A value.\n"
    measured = with_score(source, scores)
    assert measured == "// A row.\n// Measured: test f1 50.0 ± 1.0, 3 seeds, 1 minute.\n{ a: 1 }  // A value.\n"
    assert with_score(measured, None) == "// A row.\n// Measured: not trained.\n{ a: 1 }  // A value.\n"
    pilot = with_score(measured, {**scores, "deviation": None, "seeds": 1})
    assert "// Measured: test f1 50.0, 1 seed, 1 minute.\n" in pilot
    assert with_score(pilot, scores) == measured


def test_each_row_on_a_corpus_has_its_committed_score():
    committed = json.loads((CONFIGS / RECORDS_NAME).read_text())
    # The zoo's cards have the scores of its models, and rows of papers have the published ones.
    elsewhere = re.compile("zoo/|char_attention/paper/")
    assert {name for name in committed if not elsewhere.match(name)} < set(corpus_rows())
    for name in corpus_rows():
        source = (CONFIGS / f"{name}.jsonnet").read_text()
        assert source == with_score(source, committed.get(name)), f"{name}: python -m experiments.record_index"
