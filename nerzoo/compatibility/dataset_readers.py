"""Readers inside other readers."""

from allennlp.data import DatasetReader
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo


def set_worker_info(reader: DatasetReader, info: WorkerInfo) -> None:
    """
    Tells a reader inside another reader about the worker process that it is in;
    data/data_loaders/multiprocess_data_loader.py, _instance_worker: `self.reader._set_worker_info(...)` reaches the
    outer one.
    """
    reader._set_worker_info(info)
