"""A training run that is killed and resumed with `--recover` gives the numbers of an unbroken one."""

import pytest
from helpers.commands import DEPTREE_NER, train
from helpers.interrupted_training import numbers
from helpers.killed_run import run_until_killed

# The trainer of deptree_ner_paper.jsonnet, on the fixture.
PAPER_TRAINER = {
    "trainer.num_epochs": 3,
    "trainer.optimizer": {"type": "sgd", "lr": 0.05, "momentum": 0.9},
    "trainer.learning_rate_scheduler": {"type": "cosine", "t_initial": 2, "t_mul": 2},
}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return numbers(train(tmp_path_factory.mktemp("unbroken"), **PAPER_TRAINER))


@pytest.mark.parametrize(
    ("checkpointer", "last_checkpoint"),
    [
        ({}, "training_state_e1_b0.th"),
        ({"trainer.checkpointer": {"save_every_num_batches": 4}}, "training_state_e1_b4.th"),
    ],
    ids=["from the start of the epoch", "from the middle of the epoch"],
)
def test_a_killed_run_resumes_to_the_same_numbers(unbroken, tmp_path, checkpointer, last_checkpoint):
    overrides = {**PAPER_TRAINER, **checkpointer}
    folder = tmp_path / "run"
    arguments = ["train", DEPTREE_NER, "--serialization-dir", folder]
    run_until_killed(*arguments, overrides=overrides, epoch=1, batch=6)
    assert (folder / last_checkpoint).exists() and not (folder / "metrics.json").exists()
    assert numbers(train(folder, "--recover", **overrides)) == pytest.approx(unbroken, rel=1e-12)
