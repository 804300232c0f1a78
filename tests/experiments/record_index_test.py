"""The scores of configurations are those of the records."""

import json

from helpers.paths import CONFIGS, ROOT

from experiments.record_index import record_index
from experiments.runs import TableRun
from nerzoo.configuration.sources import RECORDS_NAME


def test_the_committed_scores_are_those_of_the_records(monkeypatch):
    monkeypatch.chdir(ROOT)
    # All configurations are rendered for their fingerprints, which takes half a minute.
    monkeypatch.setattr(TableRun, "fingerprint", property(lambda run: run.record["fingerprint"]))
    found, committed = record_index(), json.loads((CONFIGS / RECORDS_NAME).read_text())
    assert len(committed) > 60
    for scores in (*found.values(), *committed.values()):
        del scores["is_current"]
    assert found == committed
