from typing import Dict, List

from allennlp.data import TextFieldTensors
from allennlp.data.fields import TextField


class WordsField(TextField):
    """
    A `TextField` with a place for what an indexer does to a whole batch, on the CPU: where it has `batch_tensors`, that
    is given its tensors of all sentences, stacked, and its result stands in the batch.
    """

    __slots__: List[str] = []

    def batch_tensors(self, tensor_list: List[TextFieldTensors]) -> Dict[str, Dict]:
        batch = super().batch_tensors(tensor_list)
        for name, indexer in self.token_indexers.items():
            if hasattr(indexer, "batch_tensors"):
                batch[name] = indexer.batch_tensors(batch[name])
        return batch
