"""The untrained models of the main jobs, each with its first batch and the options of its optimizer."""

import pytest
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from helpers.configurations import render
from helpers.paths import ROOT

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


def first_batch(job, folder, **changes):
    """
    Returns model, batch and options of the configuration with `changes`; writes the files of `allennlp train` into
    `folder`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("WORD_VECTORS", "")
        params = Params({**render(job), **changes})
        params["trainer"]["cuda_device"] = -1
        # Its training takes seconds.
        params["dataset_reader"].pop("parser", None)
        optimizer = params["trainer"]["optimizer"].duplicate()
        prepare_environment(params)
        training = TrainModel.from_params(params, serialization_dir=str(folder), local_rank=0)
    return training.model, next(iter(training.trainer.data_loader)), optimizer
