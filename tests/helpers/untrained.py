"""Models before training, whose predictions serve comparisons as well as others."""

import json

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from helpers.paths import FIXTURES

TRAIN = FIXTURES / "people_and_places/train.txt"


def untrained_archive(folder, model, token_indexers=None, vocabulary=None, **reader):
    """Makes the folder of a sequence_tagger with the vocabulary of the fixture; returns it."""
    token_indexers = {"token_indexers": token_indexers} if token_indexers else {}
    reader = {"type": "tagged_sentences", "corpus": {"type": "columns"}, **token_indexers, **reader}
    config = {"dataset_reader": reader, "model": {"type": "sequence_tagger", **model}}
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    # `from_params` consumes its parameters, so it gets a copy.
    config = json.loads(json.dumps(config))
    instances = list(DatasetReader.from_params(Params(config["dataset_reader"])).read(TRAIN))
    vocab = Vocabulary.from_instances(instances, **(vocabulary or {}))
    vocab.save_to_files(folder / "vocabulary")
    torch.manual_seed(3)
    parameters = Model.from_params(Params(config["model"]), vocab=vocab).state_dict()
    torch.save(parameters, folder / "weights.th")
    return folder
