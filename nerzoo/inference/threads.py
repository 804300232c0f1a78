from typing import List, cast

from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.data.fields import ListField
from allennlp.predictors import Predictor

from nerzoo.formats.threads import thread_from_json
from nerzoo.inference.json_predictor import JsonPredictor


@Predictor.register("threads")
class ThreadsPredictor(JsonPredictor):
    """
    Predicts the links and dialogue acts of threads. Input is JSON objects in the form of `JsonlThreads`, whose links
    are ignored; or, with `--use-dataset-reader`, any file that the model's corpus reads.
    """

    def size(self, instance: Instance) -> int:
        """Returns the number of words of a thread, where each post is padded to the longest one."""
        return max(
            len(posts) * max((len(post) for post in posts), default=0)
            for posts in (cast(ListField, instance[name]) for name in ("titles", "texts"))
        )

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """Predicts several threads."""
        # Without gold links: all instances of a batch must have the same fields.
        unlinked = [
            Instance({name: field for name, field in instance.fields.items() if name != "links"})
            for instance in instances
        ]
        return super().predict_batch_instance(unlinked)

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._dataset_reader.text_to_instance(thread_from_json(json_dict, "input").without_links())
