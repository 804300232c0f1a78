import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.models import Model
from helpers.vocabularies import vocabulary_of_tags

from nerzoo.formats.jsonl import JsonlCorpus
from nerzoo.inference.ner import DocumentNerPredictor

GOLD = {"words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "PER"}]}


@pytest.fixture(scope="module")
def predictor():
    reader = DatasetReader.from_params(Params({"type": "tagged_documents", "corpus": "jsonl"}))
    vocab = vocabulary_of_tags(["O", "U-PER", "B-PER", "I-PER", "L-PER"], "BIOUL")
    torch.manual_seed(13)
    params = {
        "type": "memory_tagger",
        "text_field_embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
        "encoder": {"type": "memory_hop", "input_size": 4, "hidden_size": 3},
    }
    return DocumentNerPredictor(Model.from_params(Params(params), vocab=vocab), reader)


def test_sentences_of_words_and_of_text(predictor):
    prediction = predictor.predict_json({"doc_id": "d", "sentences": [{"sentence": "Mara  left."}, {"words": ["Yes"]}]})
    assert prediction["doc_id"] == "d"
    assert [sentence["words"] for sentence in prediction["sentences"]] == [["Mara", "left", "."], ["Yes"]]
    assert "loss" not in prediction


def test_a_text_is_a_document(predictor):
    text = " Mara left. Lu\ncame.\n\nYes!"
    prediction = predictor.predict_json({"text": text})
    words = [["Mara", "left", "."], ["Lu", "came", "."], ["Yes", "!"]]
    assert [sentence["words"] for sentence in prediction["sentences"]] == words
    document = predictor.predict_json({"sentences": [{"words": sentence} for sentence in words]})
    tags = [[sentence["tags"] for sentence in each["sentences"]] for each in (prediction, document)]
    assert tags[0] == tags[1] and "doc_id" not in prediction
    for entity in prediction["entities"]:
        assert text[entity["start_char"] : entity["end_char"]] == entity["text"]
    assert json.loads(predictor.dump_line(prediction)) == prediction
    assert predictor.predict_json({"text": ""}) == {"text": "", "entities": [], "sentences": []}


def test_a_long_text_is_several_documents(predictor, monkeypatch):
    monkeypatch.setattr("nerzoo.inference.ner.BATCH_TOKENS", 7)
    sizes = [part.size for part in predictor.read({"text": "Mara left. " * 5}).parts]
    assert sizes == [6, 6, 3]
    assert len(predictor.predict_json({"text": "Mara left. " * 5})["sentences"]) == 5


def test_a_sentence_alone(predictor):
    sentence = predictor.predict_json({"sentence": "Mara left.", "id": 3})
    assert list(sentence) == ["entities", "text", "words", "tags", "id"] and sentence["words"] == ["Mara", "left", "."]
    assert (sentence["text"], sentence["id"]) == ("Mara left.", 3)


def test_sentences_of_a_document_are_as_alone(predictor):
    parts = [{"sentence": "Mara  left.", "id": 3}, {"words": ["Lu", "came", "."], "space_after": [True, False, True]}]
    prediction = predictor.predict_json({"doc_id": "d", "source": "x", "sentences": parts})
    assert list(prediction) == ["doc_id", "sentences", "source"]
    first, second = prediction["sentences"]
    assert list(first) == ["entities", "text", "doc_id", "words", "tags", "id"] and first["text"] == "Mara  left."
    assert list(second) == ["entities", "text", "doc_id", "words", "tags"] and second["text"] == "Lu came."
    (of_instance,) = predictor.predict_batch_instance([predictor.json_to_instance({"sentences": parts})])
    assert [part["text"] for part in of_instance["sentences"]] == ["Mara  left.", "Lu came."]


def test_only_types_that_are_asked_for(predictor):
    sentences = [{"words": ["Mara", "left"]}, {"words": ["No"]}]
    for given in ({"sentences": sentences}, {"text": "Mara left. No"}, {"sentence": "Mara left."}):
        assert predictor.predict_json({**given, "types": ["PER"]}) == predictor.predict_json(given)
        with pytest.raises(ConfigurationError, match="found the type 'LOC', expected one of PER"):
            predictor.predict_json({**given, "types": ["LOC"]})
    with pytest.raises(ConfigurationError, match="expected the same types for all sentences of a document"):
        predictor.predict_json({"sentences": [{**sentences[0], "types": ["PER"]}, sentences[1]]})


def test_gold_entities(predictor):
    (first, _) = predictor.predict_json({"sentences": [GOLD, GOLD]})["sentences"]
    assert first["gold_tags"] == ["U-PER", "O"]


def test_nothing(predictor):
    assert predictor.predict_json({"sentences": []}) == {"sentences": []}
    assert predictor.dump_line({"sentences": []}) == ""
    without_words = predictor.predict_json({"doc_id": "d", "sentences": [{"sentence": "  "}, {"words": []}]})
    assert without_words["doc_id"] == "d" and [part["text"] for part in without_words["sentences"]] == ["  ", ""]
    for inputs in ({"sentence": "  "}, {"words": []}):
        nothing = {"entities": [], "text": inputs.get("sentence", ""), "words": [], "tags": []}
        assert predictor.predict_json(inputs) == nothing


def test_output_is_what_the_corpus_reads(predictor, tmp_path):
    documents = [{"doc_id": name, "sentences": [GOLD, {**GOLD, "words": ["Lu", "came"]}]} for name in ("a", "b")]
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(map(predictor.dump_line, predictor.predict_batch_json(documents))))
    assert [(document.id, len(document.sentences)) for document in JsonlCorpus().read(path)] == [("a", 2), ("b", 2)]


def test_conll_output(predictor):
    conll = DocumentNerPredictor(predictor._model, predictor._dataset_reader, output_format="conll")
    rows = conll.dump_line(conll.predict_json({"sentences": [GOLD, GOLD]})).split("\n")
    assert [row.split(" ")[0] for row in rows] == ["Mara", "left", "", "Mara", "left", "", ""]


@pytest.mark.parametrize("inputs", [[], {"sentences": "Mara left"}, {"sentences": ["Mara left"]}, {}])
def test_bad_input(predictor, inputs):
    with pytest.raises(ConfigurationError, match="found the input .*, expected a JSON object"):
        predictor.predict_json(inputs)


def test_an_empty_sentence_among_others(predictor):
    inputs = {
        "doc_id": "d",
        "sentences": [{"sentence": " "}, GOLD, {"words": []}, {"words": []}, GOLD, {"sentence": ""}],
    }
    prediction = predictor.predict_json(inputs)
    nothing, blank = ({"entities": [], "text": text, "words": [], "tags": []} for text in ("", " "))
    first, second = predictor.predict_json({"doc_id": "d", "sentences": [GOLD, GOLD]})["sentences"]
    assert prediction == {"doc_id": "d", "sentences": [blank, first, nothing, nothing, second, nothing]}


def test_input_that_is_no_json(predictor):
    with pytest.raises(ConfigurationError, match='expected a JSON object: {"text": "..."}, or {"sentences"'):
        predictor.predict_json(predictor.load_line(json.dumps(GOLD)[:-1]))
