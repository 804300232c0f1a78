from typing import Dict, List

from allennlp.data import TextFieldTensors
from allennlp.data.fields import TextField


class WordsField(TextField):
    """
    A `TextField` whose token indexers may process a whole batch, on the CPU: if an indexer has a method
    `batch_tensors`, it receives the stacked tensors of all sentences, and the batch holds its result.
    """

    __slots__: List[str] = []

    def batch_tensors(self, tensor_list: List[TextFieldTensors]) -> Dict[str, Dict]:
        batch = super().batch_tensors(tensor_list)
        for name, indexer in self.token_indexers.items():
            if hasattr(indexer, "batch_tensors"):
                batch[name] = indexer.batch_tensors(batch[name])
        return batch
