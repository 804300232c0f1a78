from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Batch, DatasetReader, Instance
from allennlp.models import Model
from allennlp.nn.beam_search import BeamSearch
from allennlp.nn.util import move_to_device
from allennlp.predictors import Predictor

from nerzoo.compatibility import unknown_index
from nerzoo.data.dataset_readers.text_lines import END
from nerzoo.predictors.json_predictor import JsonPredictor


@Predictor.register("language_model")
class LanguageModelPredictor(JsonPredictor):
    """
    Scores sentences, `{"sentence": "..."}`, which is divided at white space, or `{"words": [...]}`: gives of each word,
    and of `</s>` at the end, the natural logarithm of its probability, and the perplexity of them all. A word that the
    model does not know has the probability of the unknown word. Of an empty sentence, `</s>` is what is scored.

    Where `"complete"` is a number, too, the sentence is the beginning of one, and a beam search looks for the most
    probable words after it, up to `</s>`, and at most so many, `</s>` among them. The unknown word is none of them.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
    frozen : `bool`, optional (default = `True`)
    beam_size : `int`, optional (default = `10`)
        How many completions the search pursues at a time; 1 takes the most probable word each time.
    """

    def __init__(self, model: Model, dataset_reader: DatasetReader, frozen: bool = True, beam_size: int = 10) -> None:
        super().__init__(model, dataset_reader, frozen)
        if beam_size < 1:
            raise ConfigurationError(f"beam_size must be positive, found {beam_size}")
        self._beam_size = beam_size

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        """The scores of one sentence, and its completion, if asked for."""
        return self.predict_batch_json([inputs])[0]

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        """The scores of several sentences, and the completions of those for which they are asked for."""
        sentences = [_words(json_dict) for json_dict in inputs]
        lengths = [_max_words(json_dict) for json_dict in inputs]
        outputs = self.predict_batch_instance(list(map(self._dataset_reader.text_to_instance, sentences)))
        for words, max_words, output in zip(sentences, lengths, outputs, strict=True):
            if max_words is not None:
                output["completion"] = self._complete(words, max_words)
        return outputs

    def predict_instance(self, instance: Instance) -> JsonDict:
        """The scores of one instance."""
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        """The scores of several instances, without the loss, which is not that of one sentence."""
        outputs = super().predict_batch_instance(instances)
        return [{name: value for name, value in output.items() if name != "loss"} for output in outputs]

    def _complete(self, words: List[str], max_words: int) -> Dict[str, Any]:
        vocab, namespace = self._model.vocab, self._model.vocab_namespace
        device = next(self._model.parameters()).device
        end = torch.tensor([vocab.get_token_index(END, namespace)])
        unknown = unknown_index(vocab, namespace)

        def completed(indices: List[int]) -> List[str]:
            return [vocab.get_token_from_index(index, namespace) for index in indices]

        def step(last: torch.Tensor, state: Dict[str, torch.Tensor]) -> Tuple[torch.Tensor, Dict[str, torch.Tensor]]:
            found = torch.cat([state["found"], last.unsqueeze(1)], 1)
            # The search starts from an end, and goes on calling for completions that have ended, whatever comes of it.
            sentences = [words + [word for word in completed(row) if word != END] for row in found.tolist()]
            instances = [self._dataset_reader.text_to_instance(sentence) for sentence in sentences]
            for instance in instances:
                self._dataset_reader.apply_token_indexers(instance)
            batch = Batch(instances)
            batch.index_instances(vocab)
            tokens = move_to_device(batch.as_tensor_dict()["tokens"], device)
            log_probabilities = self._model.next_word_log_probabilities(tokens).cpu()
            log_probabilities[:, unknown] = float("-inf")
            return log_probabilities, {"found": found}

        search = BeamSearch(int(end), max_words, self._beam_size)
        found, log_probabilities = search.search(end, {"found": end.new_empty(1, 0)}, step)
        best = completed(found[0, 0].tolist())
        length = best.index(END) + 1 if END in best else len(best)
        return {"words": best[:length], "log_probability": float(log_probabilities[0, 0])}


def _words(json_dict: JsonDict) -> List[str]:
    words = None
    if isinstance(json_dict, dict):
        sentence = json_dict.get("sentence")
        words = sentence.split() if isinstance(sentence, str) else json_dict.get("words")
    if not isinstance(words, list) or not all(isinstance(word, str) and word != END for word in words):
        expected = f'a JSON object: {{"sentence": "..."}} or {{"words": ["...", ...]}}, without {END}'
        raise ConfigurationError(f"found the input {json_dict!r}, expected {expected}")
    return words


def _max_words(json_dict: JsonDict) -> Optional[int]:
    number = json_dict.get("complete")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
        raise ConfigurationError(f'found "complete": {number!r} in {json_dict!r}, expected a positive number of words')
    return number
