import pytest
from allennlp.training import GradientDescentTrainer
from helpers.benches import PEOPLE_AND_PLACES, write_run

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.runs.execution import execute
from nerzoo.runs.prepared_data import as_parts, read_documents, write_data


def test_a_killed_run_goes_on_to_the_same_predictions(tmp_path, monkeypatch):
    dev, test = (read_documents(str(PEOPLE_AND_PLACES / f"{part}.txt"), ColumnsCorpus()) for part in ("dev", "test"))
    write_data(tmp_path / "data", as_parts(dev, test, test))
    unbroken, killed = (write_run(tmp_path / name, "ner", tmp_path / "data/0", epochs=3) for name in ("a", "b"))
    expected = execute(unbroken)
    epochs = []

    def batch_outputs(self, batch, for_training, unbroken=GradientDescentTrainer.batch_outputs):
        epochs.append(self._epochs_completed)
        if self._epochs_completed == 1 and len({*epochs}) == 2 and epochs[0] == 0:
            raise KeyboardInterrupt
        return unbroken(self, batch, for_training)

    monkeypatch.setattr(GradientDescentTrainer, "batch_outputs", batch_outputs)
    with pytest.raises(KeyboardInterrupt):
        execute(killed)
    assert not (killed / "record.json").exists()
    epochs.clear()
    record = execute(killed)
    # The first epoch was not trained again.
    assert epochs[0] == 1
    assert (record["starts"], expected["starts"]) == (2, 1)
    assert record["predictions_sha256"] == expected["predictions_sha256"]
    assert record["epochs"] == 3
