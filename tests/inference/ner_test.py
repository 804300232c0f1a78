import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model
from helpers.paths import CONFIGS

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.inference.ner import NerPredictor
from nerzoo.text.annotation import Entity

CONFIG = CONFIGS / "deptree_ner.jsonnet"
PARSED = {
    "words": ["Mara", "lived", "in", "Lindow", "."],
    "pos": ["NNP", "VBD", "IN", "NNP", "."],
    "heads": [2, 0, 4, 2, 2],
    "dep_labels": ["nsubj", "root", "case", "obl", "punct"],
}
EMPTY = {"words": [], "tags": [], "entities": []}


@pytest.fixture(scope="module")
def predictor(few_sentences, spacy_pipeline):
    """Of a model that knows its six sentences by heart."""
    params = Params.from_file(CONFIG)
    prepare_environment(Params({"pytorch_seed": 13370}))
    params["dataset_reader"]["parser"] = {"pipeline": str(spacy_pipeline)}
    reader = DatasetReader.from_params(params["dataset_reader"])
    instances = list(reader.read(few_sentences))
    for instance in instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(instances)
    model = Model.from_params(params["model"], vocab=vocab)
    batch = Batch(instances)
    batch.index_instances(vocab)
    tensors = batch.as_tensor_dict()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(100):
        optimizer.zero_grad()
        model(**tensors)["loss"].backward()
        optimizer.step()
    return NerPredictor(model, reader)


def test_parsed_words(predictor):
    prediction = predictor.predict_json(dict(PARSED))
    assert list(prediction) == ["entities", "text", "words", "tags"]
    assert prediction["text"] == "Mara lived in Lindow ."
    assert prediction["words"] == PARSED["words"]
    assert prediction["tags"] == ["U-person", "O", "O", "U-place", "O"]
    for entity in prediction["entities"]:
        assert 0 < entity.pop("probability") <= 1
    assert prediction["entities"] == [
        {"start": 0, "end": 1, "label": "person", "text": "Mara", "start_char": 0, "end_char": 4},
        {"start": 3, "end": 4, "label": "place", "text": "Lindow", "start_char": 14, "end_char": 20},
    ]


@pytest.mark.parametrize("text", ["Mara lived in Lindow.", "  Mara \tlived in\n\u00a0 Lindow.\n"])
def test_raw_text_is_parsed_and_entities_are_found_in_it(predictor, text):
    prediction = predictor.predict_json({"sentence": text})
    assert (prediction["words"], prediction["text"]) == (PARSED["words"], text)
    assert [entity["text"] for entity in prediction["entities"]] == ["Mara", "Lindow"]
    for entity in prediction["entities"]:
        assert text[entity["start_char"] : entity["end_char"]] == entity["text"]


def test_a_text_is_split_and_parsed_by_sentence(predictor):
    text = "\tMara lived in\n Lindow.  Jordan laughed!\n\nMara left."
    prediction = predictor.predict_json({"text": text})
    assert list(prediction) == ["entities", "text", "sentences"] and prediction["text"] == text
    words = [["Mara", "lived", "in", "Lindow", "."], ["Jordan", "laughed", "!"], ["Mara", "left", "."]]
    assert [sentence["words"] for sentence in prediction["sentences"]] == words
    assert [entity["text"] for entity in prediction["entities"]] == ["Mara", "Lindow", "Jordan", "Mara"]
    alone = [predictor.predict_json({"sentence": " ".join(sentence)}) for sentence in words]
    assert [sentence["tags"] for sentence in prediction["sentences"]] == [sentence["tags"] for sentence in alone]
    for entity in prediction["entities"]:
        assert list(entity) == ["text", "label", "start_char", "end_char", "probability"]
        assert text[entity["start_char"] : entity["end_char"]] == entity["text"]
    for sentence in prediction["sentences"]:
        assert [text[start] for start in sentence["offsets"]] == [word[0] for word in sentence["words"]]


def test_columns_of_a_text(predictor):
    predictor = NerPredictor(predictor.model, predictor.dataset_reader, output_format="conll")
    written = predictor.dump_line(predictor.predict_json({"text": "Mara left. Jordan left."}))
    assert [line.split(" ")[0] for line in written.split("\n")] == [
        *"Mara left . - Jordan left . -".replace("-", "").split(" "),
        "",
    ]


def test_a_text_of_nothing(predictor):
    assert predictor.predict_json({"text": " \n"}) == {"text": " \n", "entities": [], "sentences": []}


@pytest.mark.parametrize("empty", [{"sentence": ""}, {"sentence": " \t\n"}, {"words": []}])
def test_what_has_no_words_has_no_entities(predictor, empty):
    expected = {**EMPTY, "text": empty.get("sentence", "")}
    assert predictor.predict_json(empty) == expected
    assert predictor.predict_batch_json([empty, empty]) == [expected, expected]


def test_a_batch_with_empty_sentences_between(predictor):
    inputs = [{"sentence": ""}, PARSED, {"words": []}, {"sentence": "Mara laughed. Jordan left."}, {"sentence": " "}]
    batch = predictor.predict_batch_json(inputs)
    alone = [predictor.predict_json(dict(sentence)) for sentence in inputs]
    assert [prediction["tags"] for prediction in batch] == [prediction["tags"] for prediction in alone]
    assert [len(prediction["words"]) for prediction in batch] == [0, 5, 0, 6, 0]
    without_words = [prediction for prediction in batch if not prediction["words"]]
    assert without_words == [{**EMPTY, "text": text} for text in ("", "", " ")]


def test_instances_of_a_file_have_gold_tags_and_no_loss(predictor, few_sentences):
    predictions = predictor.predict_batch_instance(list(predictor._dataset_reader.read(few_sentences)))
    assert len(predictions) == 6
    for prediction in predictions:
        assert set(prediction) == {"doc_id", "text", "words", "tags", "gold_tags", "entities"}
        assert next(iter(prediction)) == "entities" and prediction["text"].startswith(prediction["words"][0])
        assert prediction["tags"] == prediction["gold_tags"]


def test_gold_entities_of_words(predictor):
    gold = {"entities": [{"start": 0, "end": 1, "label": "person"}], "id": "one"}
    prediction = predictor.predict_json({**PARSED, **gold})
    assert prediction["gold_tags"] == ["U-person", "O", "O", "O", "O"]


def test_predictions_can_be_predicted_again(predictor):
    prediction = predictor.predict_json(dict(PARSED))
    again = predictor.predict_json({**PARSED, **json.loads(predictor.dump_line(prediction))})
    assert again["gold_tags"] == again["tags"] == prediction["tags"]


def test_other_keys_are_in_the_prediction(predictor):
    other = {"comment": "none", "doc_id": 3}
    found = predictor.predict_json({**PARSED, **other, "tags": None})
    assert found == {**predictor.predict_json(dict(PARSED)), **other}


def test_only_types_that_are_asked_for(predictor):
    """The model chooses among them: a word of another type may become one of theirs, or none."""
    texts = [dict(PARSED), {"sentence": "Mara lived in Lindow."}, {"text": "Mara lived in Lindow. Mara left."}]
    for given in texts:
        assert {entity["label"] for entity in predictor.predict_json(given)["entities"]} == {"person", "place"}
        found = predictor.predict_json({**given, "types": ["place"]})
        assert {entity["label"] for entity in found["entities"]} == {"place"} and "types" not in found
        both = predictor.predict_json({**given, "types": ["person", "place"]})
        assert both == predictor.predict_json(given)


@pytest.mark.parametrize(
    "types, message",
    [
        (["plaec"], "found the type 'plaec', expected 'place'"),
        (["x"], "expected one of person, place"),
        ("place", "input: found the types 'place', expected a list"),
    ],
)
def test_types_that_the_model_lacks(predictor, types, message):
    for given in (PARSED, {"sentence": "Mara left."}, {"text": "Mara left."}):
        with pytest.raises(ConfigurationError, match=message):
            predictor.predict_json({**given, "types": types})


def test_entities_of_null_are_unknown_ones(predictor):
    assert "gold_tags" not in predictor.predict_json({**PARSED, "entities": None})


@pytest.mark.parametrize("line", ["Mara lived", '{"sentence": ', "[1, 2]", '"Mara"', "{}", '{"text": 5}'])
def test_a_line_that_is_no_object_with_a_sentence_or_words_is_an_error(predictor, line):
    with pytest.raises(
        ConfigurationError, match='expected a JSON object: {"text": "..."}, {"sentence": "..."} or {"words"'
    ):
        predictor.predict_json(predictor.load_line(line + "\n"))


def test_a_line_is_read(predictor):
    assert predictor.load_line('{"sentence": "Mara"}\n') == {"sentence": "Mara"}


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"words": "Mara"}, "input: found the words 'Mara'"),
        ({"words": ["Mara", "", "in", "Lindow", "."]}, "input: found the words"),
        ({"pos": ["NNP"]}, "input: found the pos .* expected a list of 5"),
        ({"heads": [2, 0]}, "input: found the heads .* expected a list of 5"),
        ({"heads": ["2", "0", "4", "2", "2"]}, "input: found the heads"),
        ({"heads": [2, 0, 9, 2, 2]}, "input: found the head 9"),
        ({"dep_labels": [], "id": "one"}, r"input \(sentence one\): found the dep_labels"),
        ({"entities": [{"start": 4, "end": 6, "label": "person"}]}, "input: found the entity"),
        ({"heads": None}, "DependencyAwareEncoder reads dependency trees, but the sentences have none"),
    ],
)
def test_input_that_does_not_fit_is_an_error(predictor, wrong, message):
    with pytest.raises(ConfigurationError, match=message):
        predictor.predict_json({**PARSED, **wrong})


@pytest.mark.parametrize("wrong", [{"sentence": 5}, {"sentence": None}, {**PARSED, "pos": None}], ids=str)
def test_input_of_another_type_or_without_features_is_an_error(predictor, wrong):
    with pytest.raises(ConfigurationError):
        predictor.predict_json(wrong)


def test_a_batch_with_and_without_gold_entities(predictor):
    known, unknown = predictor.predict_batch_json([{**PARSED, "entities": []}, dict(PARSED)])
    assert known["tags"] == unknown["tags"]


def test_extra_outputs_are_given_when_asked_for(predictor, monkeypatch):
    monkeypatch.setattr(predictor._model, "extra_outputs", ["logits", "attention"])
    longer, shorter = predictor.predict_batch_json([dict(PARSED), {"sentence": "Mara laughed"}])
    for prediction, length in ((longer, 5), (shorter, 2)):
        num_tags = predictor._model.vocab.get_vocab_size("labels")
        assert torch.tensor(prediction["logits"]).shape == (length, num_tags)
        assert torch.tensor(prediction["relative_attention"]).shape == (length, length)
        assert torch.tensor(prediction["global_attention"]).shape == (length,)


def test_conll_output_is_read_back_as_columns(predictor, few_sentences, tmp_path):
    conll = NerPredictor(predictor._model, predictor._dataset_reader, output_format="conll")
    instances = list(conll._dataset_reader.read(few_sentences))
    predictions = conll.predict_batch_instance(instances)
    path = tmp_path / "output.txt"
    path.write_text("".join(map(conll.dump_line, [EMPTY, *predictions])))
    (document,) = ColumnsCorpus(tag_column=[1, 2], coding_scheme="BIOUL").read(path)
    assert [sentence.words for sentence in document.sentences] == [prediction["words"] for prediction in predictions]
    for column in (1, 2):
        (document,) = ColumnsCorpus(tag_column=column, coding_scheme="BIOUL").read(path)
        assert [sentence.entities for sentence in document.sentences] == [
            [Entity(entity["start"], entity["end"], entity["label"]) for entity in prediction["entities"]]
            for prediction in predictions
        ]


def test_conll_output_without_gold_tags(predictor):
    conll = NerPredictor(predictor._model, predictor._dataset_reader, output_format="conll")
    line = conll.dump_line(conll.predict_json(dict(PARSED)))
    assert line == "Mara U-person\nlived O\nin O\nLindow U-place\n. O\n\n"


def test_an_unknown_output_format_is_an_error(predictor):
    with pytest.raises(ConfigurationError, match="found the output_format 'xml', expected 'json' or 'conll'"):
        NerPredictor(predictor._model, predictor._dataset_reader, output_format="xml")


def test_words_or_a_sentence(predictor):
    with pytest.raises(ConfigurationError, match="found words and a sentence in an input, expected one of them"):
        predictor.predict_json({**PARSED, "sentence": "Mara left"})


@pytest.mark.parametrize(
    "word, message",
    [
        ("@@PADDING@@", "found the word '@@PADDING@@', expected another one"),
        ("\ud800", r"found '\\ud800', one half of a surrogate pair in the input"),
    ],
)
def test_words_that_stand_for_nothing(predictor, word, message):
    inputs = {**PARSED, "words": [word, *PARSED["words"][1:]]}
    with pytest.raises(ConfigurationError, match=message):
        predictor.predict_json(inputs)


@pytest.mark.parametrize(
    "text, message",
    [
        ("a" * 20_001, "more than 20000 characters without white space, expected at most lines.MAX_RUN, 20000"),
        ("a" + "(" * 1_001, "more than 1000 symbols without letters and white space, expected at most lines.MAX_SYMB"),
        ("a " * 500_001, "1000002 characters, expected at most max_length, 1000000, of the spaCy pipeline"),
    ],
)
def test_texts_that_spacy_does_not_divide(predictor, text, message):
    with pytest.raises(ConfigurationError, match=message):
        predictor.predict_json({"sentence": text})
