"""Models before training, whose predictions serve comparisons as well as others."""

import json

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from helpers.paths import FIXTURES
from helpers.tiny_pretrained import write_transformer

from nerzoo.archives.transformers import load_transformer, pack

TRAIN = FIXTURES / "people_and_places/train.txt"


def untrained_archive(folder, model, token_indexers=None, vocabulary=None, data=TRAIN, **reader):
    """Makes the folder of a sequence_tagger with the vocabulary of a fixture; returns it."""
    token_indexers = {"token_indexers": token_indexers} if token_indexers else {}
    reader = {"type": "tagged_sentences", "corpus": {"type": "columns"}, **token_indexers, **reader}
    config = {"dataset_reader": reader, "model": {"type": "sequence_tagger", **model}}
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    # `from_params` consumes its parameters, so it gets a copy.
    config = json.loads(json.dumps(config))
    instances = list(DatasetReader.from_params(Params(config["dataset_reader"])).read(data))
    vocab = Vocabulary.from_instances(instances, **(vocabulary or {}))
    vocab.save_to_files(folder / "vocabulary")
    torch.manual_seed(3)
    parameters = Model.from_params(Params(config["model"]), vocab=vocab).state_dict()
    torch.save(parameters, folder / "weights.th")
    return folder


def transformer_archive(
    folder,
    embedder=None,
    embedders=None,
    token_indexers=None,
    encoder=None,
    model="sequence_tagger",
    config=None,
    **reader,
):
    """
    Makes the folder of a tagger over a BERT, or the transformer of another `config`, with windows of 12 pieces, options
    of the `embedder`, and perhaps other embedders; returns it.
    """
    transformer = folder.parent / "transformer"
    transformer.mkdir()
    torch.manual_seed(1)
    write_transformer(transformer, config=config)
    name = str(transformer)
    own = {"type": "transformer", "pretrained_file": name, "max_length": 12, **(embedder or {})}
    model = {
        "type": model,
        "text_field_embedder": {"token_embedders": {"transformer": own, **(embedders or {})}},
        "encoder": encoder or {"type": "bilstm", "input_size": 8, "hidden_size": 5},
        # Weights so large that transitions matter; those of the encoder come from its folder.
        "initializer": {"regexes": [["^((?!transformer.encoder).)*$", {"type": "normal", "std": 0.7}]]},
    }
    indexers = {"transformer": {"type": "transformer", "model_name": name}, **(token_indexers or {})}
    untrained_archive(folder, model, indexers, **reader)
    pack(load_transformer(name), name, folder)
    return folder
