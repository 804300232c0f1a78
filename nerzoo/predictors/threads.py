from typing import List

from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor

from nerzoo.data.threads import thread_from_json
from nerzoo.predictors.json_predictor import JsonPredictor


@Predictor.register("threads")
class ThreadsPredictor(JsonPredictor):
    """
    Finds the links and dialogue acts of a thread as `JsonlThreads` reads it; links in it are not looked at. With
    `--use-dataset-reader`, those of any file that the model's corpus reads.
    """

    def predict_instance(self, instance: Instance) -> JsonDict:
        """The prediction for one thread."""
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """The predictions for several threads."""
        # Without gold links, since a batch must hold instances of the same fields.
        unlinked = [
            Instance({name: field for name, field in instance.fields.items() if name != "links"})
            for instance in instances
        ]
        for instance in unlinked:
            self._dataset_reader.apply_token_indexers(instance)
        # Not AllenNLP's method, which makes the string "None" of the head.
        return self._model.forward_on_instances(unlinked)

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._dataset_reader.text_to_instance(thread_from_json(json_dict, "input"))
