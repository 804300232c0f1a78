from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Batch, DatasetReader, Instance
from allennlp.nn.beam_search import BeamSearch
from allennlp.nn.util import move_to_device
from allennlp.predictors import Predictor

from nerzoo.allennlp_private import unknown_index
from nerzoo.data.dataset_readers.text_lines import END
from nerzoo.errors import shortened
from nerzoo.inference.json_predictor import JsonPredictor
from nerzoo.models.fofe_lm import FofeLm

MAX_COMPLETION = 100_000
"""The maximum number of words that all steps of a completion read: each step reads all words before it."""


@Predictor.register("language_model")
class LanguageModelPredictor(JsonPredictor):
    """
    Scores sentences, `{"sentence": "..."}`, which is split at white space, or `{"words": [...]}`: predicts the natural
    logarithm of the probability of each word and of the `</s>` after the last word, and the perplexity. An unknown word
    has the probability of the unknown token. With `"complete": n`, a beam search finds the most probable continuation
    of the sentence: at most n words, or up to `</s>`, which counts as a word, and never the unknown token.

    # Parameters

    model : `FofeLm`
    beam_size : `int`, optional (default = `10`)
        The number of completions that the search keeps at each step; 1 is greedy search.
    dataset_reader, frozen, **kwargs
        As in `JsonPredictor`.
    """

    _model: FofeLm

    def __init__(
        self, model: FofeLm, dataset_reader: DatasetReader, frozen: bool = True, beam_size: int = 10, **kwargs: Any
    ) -> None:
        super().__init__(model, dataset_reader, frozen, **kwargs)
        if beam_size < 1:
            raise ConfigurationError(f"beam_size must be positive, found {beam_size}")
        self._beam_size = beam_size

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        words = _words(json_dict)
        number = _max_words(json_dict) or 0
        if number * (len(words) + number) > MAX_COMPLETION:
            found = f'"complete": {number} after {len(words)} words'
            expected = f"steps that read at most language_model.MAX_COMPLETION, {MAX_COMPLETION}, words together"
            raise ConfigurationError(f"found {found}, expected {expected}")
        return self._dataset_reader.text_to_instance(words)

    def _finish(self, json_dict: JsonDict, instance: Instance, prediction: JsonDict) -> JsonDict:
        max_words = _max_words(json_dict)
        completion = {} if max_words is None else {"completion": self._complete(_words(json_dict), max_words)}
        return {**prediction, **completion}

    def _complete(self, words: List[str], max_words: int) -> Dict[str, Any]:
        vocab, namespace = self._model.vocab, self._model.vocab_namespace
        device = next(self._model.parameters()).device
        end = torch.tensor([vocab.get_token_index(END, namespace)])
        unknown = unknown_index(vocab, namespace)

        def completed(indices: List[int]) -> List[str]:
            return [vocab.get_token_from_index(index, namespace) for index in indices]

        def step(last: torch.Tensor, state: Dict[str, torch.Tensor]) -> Tuple[torch.Tensor, Dict[str, torch.Tensor]]:
            found = torch.cat([state["found"], last.unsqueeze(1)], 1)
            # The search starts from </s>, and also calls this function for completions that have ended, but ignores
            # their scores.
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
        raise ConfigurationError(f"found the input {shortened(repr(json_dict))}, expected {expected}")
    return words


def _max_words(json_dict: JsonDict) -> Optional[int]:
    number = json_dict.get("complete")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
        found = f'"complete": {number!r} in {shortened(repr(json_dict))}'
        raise ConfigurationError(f"found {found}, expected a positive number of words")
    return number
