"""FOFE-NER on characters (Chinese) and with hashed characters (Spanish), from training to predictions."""

import json

import pytest
from helpers.commands import allennlp
from helpers.paths import ROOT

from nerzoo.formats.jsonl import JsonlCorpus

FILES = {"chinese": ROOT / "fixtures/chinese/train.txt", "spanish": ROOT / "fixtures/spanish/train.txt"}
TEXTS = {
    "chinese": "林月住在碧螺镇。 记者在荔洲见到了朱绘。",
    "spanish": "Íñigo Lara viajó a Torrelunar.  Tomás vive en Puerto Nuño.",
}
WORDS = {"chinese": ["林月", "住", "在", "碧螺镇", "。"], "spanish": ["Tomás", "vive", "en", "Puerto", "Nuño", "."]}


@pytest.fixture(scope="module", params=sorted(FILES))
def language(request):
    return request.param


@pytest.fixture(scope="module")
def archive(language, tmp_path_factory):
    folder = tmp_path_factory.mktemp(language)
    # What it has seen it finds again, so that there is something to look at.
    overrides = {
        "trainer.num_epochs": 12,
        "trainer.cuda_device": -1,
        "validation_data_path": str(FILES[language]),
        "vocabulary.min_count": {},
    }
    config = f"training_config/fofe_ner/small/{language}.jsonnet"
    allennlp("train", config, "--serialization-dir", folder, overrides=overrides)
    return folder / "model.tar.gz"


def predict(archive, file, tmp_path, *args):
    output = tmp_path / "predictions.jsonl"
    allennlp("predict", archive, file, "--output-file", output, "--silent", *args)
    return output


def predictions(archive, tmp_path, *inputs):
    file = tmp_path / "input.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in inputs))
    return [json.loads(line) for line in predict(archive, file, tmp_path).read_text().splitlines()]


def test_predictions_for_a_file_score_as_evaluation_does(language, archive, tmp_path):
    output = tmp_path / "scores.json"
    allennlp("evaluate", archive, FILES[language], "--output-file", output)
    scores = json.loads(output.read_text())
    assert scores["f1"] > 0.3
    file = predict(archive, FILES[language], tmp_path, "--use-dataset-reader")
    sentences = [sentence for document in JsonlCorpus().read(file) for sentence in document.sentences]
    gold = gold_entities(FILES[language], by_character=language == "chinese")
    assert [sentence.words for sentence in sentences] == [words for words, _ in gold]
    found = [set(sentence.entities) for sentence in sentences]
    correct = sum(len(some & set(entities)) for some, (_, entities) in zip(found, gold, strict=True))
    assert scores["precision"] == pytest.approx(correct / sum(map(len, found)), abs=1e-12)
    assert scores["recall"] == pytest.approx(correct / sum(len(entities) for _, entities in gold), abs=1e-12)


def test_namespaces_of_the_vocabulary(language, archive):
    namespaces = {path.stem for path in (archive.parent / "vocabulary").iterdir() if path.name[0] != "."}
    # None is for hashed characters.
    words = {"chinese": {"character", "word"}, "spanish": {"cased", "uncased"}}[language]
    assert namespaces == words | {"labels", "non_padded_namespaces"}


def gold_entities(file, by_character):
    """Of each sentence the tokens, and start, end and type of the entities."""
    sentences = []
    for block in file.read_text().strip().split("\n\n"):
        tokens, entities = [], []
        for word, tag in (line.split() for line in block.split("\n")):
            start = len(tokens)
            tokens.extend(word if by_character else [word])
            if tag[0] == "B":
                entities.append((start, len(tokens), tag[2:]))
            elif tag[0] == "I":
                entities[-1] = (entities[-1][0], len(tokens), tag[2:])
        sentences.append((tokens, entities))
    return sentences


def test_offsets_of_entities_in_words_and_in_raw_text(language, archive, tmp_path):
    text, words = TEXTS[language], WORDS[language]
    found = predictions(archive, tmp_path, {"sentence": text}, {"words": words})
    for prediction, source in zip(found, (text, " ".join(words)), strict=True):
        if language == "chinese":
            assert prediction["words"] == list("".join(source.split()))
        assert prediction["entities"]
        for entity in prediction["entities"]:
            assert source[entity["start_char"] : entity["end_char"]] == entity["text"]
            tokens = prediction["words"][entity["start"] : entity["end"]]
            assert entity["text"].replace(" ", "") == "".join(tokens)
