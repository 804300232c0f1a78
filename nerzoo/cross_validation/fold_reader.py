from typing import Dict, Iterable, List, Optional

from allennlp.data import DatasetReader, Instance
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo

from nerzoo.allennlp_private import set_worker_info
from nerzoo.cross_validation.folds import instances_by_document


class FoldReader(DatasetReader):
    """
    Reads the documents of one part of some files with another reader. In place of a path it takes the name of the part;
    a path that names no part is that of another file, all of which is read.

    # Parameters

    reader : `DatasetReader`
    paths : `List[str]`
        The files that `reader` reads.
    parts : `Dict[str, List[str]]`
        For each part, the names of its documents, as `instances_by_document` gives them.
    """

    def __init__(self, reader: DatasetReader, paths: List[str], parts: Dict[str, List[str]]) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True)
        self._reader = reader
        self._paths = paths
        self._parts = {part: frozenset(documents) for part, documents in parts.items()}

    def _read(self, file_path: str) -> Iterable[Instance]:
        if file_path not in self._parts:
            return self.shard_iterable(self._reader.read(file_path))
        documents = self._parts[file_path]
        instances = instances_by_document(self._reader, self._paths)
        return self.shard_iterable(instance for document, instance in instances if document in documents)

    def apply_token_indexers(self, instance: Instance) -> None:
        self._reader.apply_token_indexers(instance)

    def _set_worker_info(self, info: Optional[WorkerInfo]) -> None:
        super()._set_worker_info(info)
        # The inner reader reads everything, since the names of instances without a document depend on their positions.
        # Having a worker's information keeps it from adding token indexers to what goes from process to process.
        set_worker_info(self._reader, WorkerInfo(num_workers=1, id=0))
