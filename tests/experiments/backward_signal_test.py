import json
import sys

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import load_archive
from helpers.paths import FIXTURES

from experiments.backward_signal import main, scores
from nerzoo.models.heads.seq2biseq import GruLabelDecoder

DEV = str(FIXTURES / "people_and_places/dev.conllu")


def test_scores_of_three_kinds_of_states(archives, monkeypatch, capsys):
    archive = archives("seq2biseq")
    monkeypatch.setattr(sys, "argv", ["backward_signal", str(archive), DEV])
    main()
    # What training prints comes before.
    shown = [line.split("accuracy ") for line in capsys.readouterr().out.splitlines()[-3:]]
    accuracies = {name.strip(): float(accuracy) for name, accuracy in shown}
    # With its own labels the model is what the trainer has evaluated.
    metrics = json.loads((archive.parent / "metrics.json").read_text())
    assert accuracies["its own labels"] == pytest.approx(100 * metrics["best_validation_accuracy"], abs=0.005)
    assert list(accuracies) == ["its own labels", "no labels", "gold labels"]
    assert len(set(accuracies.values())) == 3


def test_states_of_gold_labels(archives, monkeypatch):
    """The backward decoder reads the gold labels, from the last to the first, and none of its own."""
    archive = load_archive(archives("seq2biseq"))
    loader = SimpleDataLoader(list(archive.validation_dataset_reader.read(DEV))[:1], 1)
    loader.index_with(archive.model.vocab)
    read = []
    inputs = GruLabelDecoder.inputs

    def recorded(decoder, encoded, labels):
        read.append(labels.tolist())
        return inputs(decoder, encoded, labels)

    monkeypatch.setattr(GruLabelDecoder, "inputs", recorded)
    scores(archive.model.eval(), loader, "gold labels")
    assert read[0] == next(iter(loader))["tags"].flip(1).tolist()


def test_of_another_model(archives):
    model = load_archive(archives("ner")).model
    with pytest.raises(ConfigurationError, match="found a SequenceTagger, expected a Seq2Biseq"):
        scores(model, SimpleDataLoader([], 1), "no labels")


def test_without_a_decoder_from_right_to_left(archives):
    model = load_archive(archives("seq2biseq")).model
    model.head.backward_decoder = None
    with pytest.raises(ConfigurationError, match="found a model with forward_only, expected one with both decoders"):
        scores(model, SimpleDataLoader([], 1), "no labels")
