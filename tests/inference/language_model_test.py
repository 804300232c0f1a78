import math
from itertools import product

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.models.archival import archive_model
from allennlp.predictors import Predictor
from helpers.paths import CONFIGS

from nerzoo.inference.language_model import LanguageModelPredictor

CONFIG = CONFIGS / "fofe_lm.jsonnet"
WORDS = ["the", "river", "rose", "slowly", "."]


@pytest.fixture(scope="module")
def parts():
    """An untrained model of few words, whose distributions are far from uniform, and its reader."""
    params = Params.from_file(CONFIG)
    prepare_environment(Params({}))
    reader = DatasetReader.from_params(params["dataset_reader"])
    instance = reader.text_to_instance(WORDS)
    reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances([instance], oov_token="<unk>")
    model = Model.from_params(params["model"], vocab=vocab).double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model, reader


@pytest.fixture(scope="module")
def predictor(parts):
    return LanguageModelPredictor(*parts, beam_size=3)


def score(predictor, words):
    return predictor.predict_json({"words": list(words)})


def test_a_sentence_is_divided_at_white_space_and_its_end_predicted(predictor):
    prediction = predictor.predict_json({"sentence": "  the river\trose . \n"})
    assert prediction.keys() == {"words", "log_probabilities", "perplexity"}
    assert prediction["words"] == ["the", "river", "rose", ".", "</s>"]
    assert len(prediction["log_probabilities"]) == 5
    mean = sum(prediction["log_probabilities"]) / 5
    assert prediction["perplexity"] == pytest.approx(math.exp(-mean), rel=1e-12)
    assert score(predictor, ["the", "river", "rose", "."]) == prediction


def test_probabilities_of_all_words_at_a_place_sum_to_one(predictor):
    words = [*WORDS, "<unk>"]
    ends = [score(predictor, ["the", "river"])["log_probabilities"][2]]
    ends += [score(predictor, ["the", "river", word])["log_probabilities"][2] for word in words]
    assert sum(map(math.exp, ends)) == pytest.approx(1, abs=1e-9)


def test_an_unknown_word_scores_as_the_unknown_word_and_keeps_its_name(predictor):
    unheard, unknown = score(predictor, ["the", "quokka", "rose"]), score(predictor, ["the", "<unk>", "rose"])
    assert unheard["words"] == ["the", "quokka", "rose", "</s>"]
    assert unheard["log_probabilities"] == unknown["log_probabilities"]


@pytest.mark.parametrize("empty", [{"sentence": ""}, {"sentence": " \t"}, {"words": []}])
def test_of_an_empty_sentence_the_end_is_scored(predictor, empty):
    prediction = predictor.predict_json(empty)
    assert prediction["words"] == ["</s>"]
    assert prediction["perplexity"] == pytest.approx(math.exp(-prediction["log_probabilities"][0]))


def test_a_batch_scores_and_completes_as_single_sentences_do(predictor):
    inputs = [{"sentence": "the river rose"}, {"sentence": "", "complete": 3}, {"words": WORDS, "complete": 2}]
    batch = predictor.predict_batch_json(inputs)
    assert ["completion" in prediction for prediction in batch] == [False, True, True]
    for prediction, single in zip(batch, map(predictor.predict_json, inputs), strict=True):
        assert prediction["words"] == single["words"]
        assert prediction["log_probabilities"] == pytest.approx(single["log_probabilities"], abs=1e-12)
        assert prediction.get("completion") == single.get("completion")


@pytest.mark.parametrize("prefix", [[], ["the"], ["the", "quokka"]], ids=len)
def test_the_search_finds_the_most_probable_completion(parts, prefix):
    # As wide as the vocabulary, it misses none of two words.
    predictor = LanguageModelPredictor(*parts, beam_size=parts[0].vocab.get_vocab_size())
    completion = predictor.predict_json({"words": prefix, "complete": 2})["completion"]
    totals = {("</s>",): score(predictor, prefix)["log_probabilities"][-1]}
    for pair in product(WORDS, repeat=2):
        of_words = score(predictor, [*prefix, *pair])["log_probabilities"]
        totals[pair] = sum(of_words[len(prefix) : len(prefix) + 2])
        totals[pair[0], "</s>"] = of_words[len(prefix)] + score(predictor, [*prefix, pair[0]])["log_probabilities"][-1]
    best = max(totals, key=totals.get)
    assert tuple(completion["words"]) == best
    assert completion["log_probability"] == pytest.approx(totals[best], abs=1e-9)


def test_a_beam_of_one_takes_the_most_probable_word_each_time(parts):
    predictor, words = LanguageModelPredictor(*parts, beam_size=1), []
    while len(words) < 6 and words[-1:] != ["</s>"]:
        steps = {word: score(predictor, [*words, word])["log_probabilities"][len(words)] for word in WORDS}
        steps["</s>"] = score(predictor, words)["log_probabilities"][-1]
        words.append(max(steps, key=steps.get))
    assert predictor.predict_json({"sentence": "", "complete": 6})["completion"]["words"] == words


def test_nothing_comes_after_the_end(parts, predictor):
    model, _ = parts
    bias, place = model.head.word_projection.bias, model.vocab.get_token_index("</s>") - 1
    with torch.no_grad():
        bias[place] += 100
        completion = predictor.predict_json({"sentence": "the", "complete": 5})["completion"]
        bias[place] -= 100
    assert completion["words"] == ["</s>"]
    assert completion["log_probability"] == pytest.approx(0, abs=1e-9)


def test_a_completion_has_no_unknown_word(parts, predictor):
    model, _ = parts
    bias, place = model.head.word_projection.bias, model.vocab.get_token_index("<unk>") - 1
    with torch.no_grad():
        bias[place] += 100
        completion = predictor.predict_json({"sentence": "the", "complete": 5})["completion"]
        bias[place] -= 100
    assert "<unk>" not in completion["words"]
    # The probability is that of the model, to which nearly every word is unknown now.
    assert completion["log_probability"] < -50


def test_an_archive_predicts_the_same(parts, predictor, tmp_path):
    model, _ = parts
    Params.from_file(CONFIG).to_file(str(tmp_path / "config.json"))
    model.vocab.save_to_files(str(tmp_path / "vocabulary"))
    torch.save(model.state_dict(), tmp_path / "best.th")
    archive_model(tmp_path)
    loaded = Predictor.from_path(str(tmp_path / "model.tar.gz"))
    assert type(loaded) is LanguageModelPredictor
    expected, found = score(predictor, WORDS[:3]), score(loaded, WORDS[:3])
    # Archives are loaded in single precision.
    assert found["log_probabilities"] == pytest.approx(expected["log_probabilities"], abs=1e-4)


@pytest.mark.parametrize(
    "inputs, message",
    [
        ({"text": "the river"}, 'expected a JSON object: {"sentence"'),
        ({"words": ["the", 3]}, 'expected a JSON object: {"sentence"'),
        ("the river", 'expected a JSON object: {"sentence"'),
        ({"sentence": "the", "complete": 316}, 'found "complete": 316 after 1 words, .*MAX_COMPLETION, 100000, words'),
        ({"sentence": "the", "complete": 0}, 'found "complete": 0 .*, expected a positive number of words'),
        ({"sentence": "the", "complete": True}, 'found "complete": True .*, expected a positive number'),
        ({"words": ["the", "</s>"]}, "expected a JSON object: .*, without </s>"),
        ({"sentence": "the </s> river"}, "expected a JSON object: .*, without </s>"),
        ([], 'expected a JSON object: {"sentence"'),
    ],
)
def test_input_that_is_no_sentence(predictor, inputs, message):
    with pytest.raises(ConfigurationError, match=message):
        predictor.predict_json(inputs)


def test_a_line_that_is_no_json(predictor):
    with pytest.raises(ConfigurationError, match="found the input 'the river' .*, expected a JSON object"):
        predictor.predict_json(predictor.load_line("the river\n"))


def test_a_beam_of_none(parts):
    with pytest.raises(ConfigurationError, match="beam_size must be positive, found 0"):
        LanguageModelPredictor(*parts, beam_size=0)
