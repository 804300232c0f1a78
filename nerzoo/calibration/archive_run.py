"""A model run over a file, to fit something that its archive then has."""

import os
from typing import Any, Dict, Iterator, Tuple

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models.archival import Archive
from allennlp.nn.util import move_to_device

from nerzoo import archives
from nerzoo.files import check_is_new


def load_to_rewrite(archive_file: str, output_file: str, cuda_device: int = -1) -> Archive:
    """
    Loads an archive of which another one is to be made.

    # Raises

    `ConfigurationError` where the output exists, or the archive is a folder, whose file cannot be copied.
    """
    check_is_new(output_file)
    if os.path.isdir(archive_file) or archives.find(archive_file).is_dir():
        raise ConfigurationError(f"found the folder {archive_file}, expected an archive: its model.tar.gz")
    return archives.load(archive_file, cuda_device)


def run_model(archive: Archive, file: str, batch_size: int) -> Iterator[Tuple[Dict[str, Any], Dict[str, Any]]]:
    """Yields the tensors of each batch of a file, read as for validation, and what the model gives for it."""
    model = archive.model.eval()
    loader = SimpleDataLoader.from_dataset_reader(archive.validation_dataset_reader, file, batch_size)
    loader.index_with(model.vocab)
    device = next(model.parameters()).device
    with torch.inference_mode():
        for batch in Tqdm.tqdm(loader, desc="running the model"):
            batch = move_to_device(batch, device)
            yield batch, model(**batch)
