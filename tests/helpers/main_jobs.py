"""The untrained models of the main jobs, each with its first batch and the options of its optimizer."""

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from helpers.configurations import render
from helpers.paths import CONFIGS, ROOT
from helpers.tiny_pretrained import write_transformer

from nerzoo.configuration.check import read_configuration

MAIN_JOBS = [
    "ner",
    "deptree_ner",
    "memory_ner",
    "thread_structure",
    "fofe_ner",
    "fofe_lm",
    "char_attention",
    "seq2biseq",
]
OVER_TRANSFORMER = "ner_transformer"
"""The main job `ner` with the words of a tiny transformer, which is tuned, beside its own."""


def configuration(job, transformer):
    """Returns the configuration of a main job, or of `OVER_TRANSFORMER`, whose folder `transformer` it writes."""
    if job != OVER_TRANSFORMER:
        return render(job)
    transformer.mkdir()
    write_transformer(transformer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSFORMER", str(transformer))
        patch.delenv("TRANSFORMER_SIZE")
        options = {"words": "both", "tune_transformer": True}
        return read_configuration(CONFIGS / "ner.jsonnet", options=options).as_dict(quiet=True)


def first_batch(job, folder, **changes):
    """
    Returns model, batch and options of the configuration of a main job, or of `OVER_TRANSFORMER`, with `changes`;
    writes the files of `allennlp train` into `folder`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("WORD_VECTORS", "")
        params = Params({**configuration(job, folder.with_name("transformer")), **changes})
        params["trainer"]["cuda_device"] = -1
        # Its training takes seconds.
        params["dataset_reader"].pop("parser", None)
        optimizer = params["trainer"]["optimizer"].duplicate()
        prepare_environment(params)
        training = TrainModel.from_params(params, serialization_dir=str(folder), local_rank=0)
    return training.model, next(iter(training.trainer.data_loader)), optimizer
