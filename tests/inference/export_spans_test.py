"""The export of FOFE-NER, which classifies spans."""

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from allennlp.models import load_archive
from helpers.archives import assert_same, sentences
from helpers.paths import FIXTURES
from helpers.tensors_of import tensors_of
from helpers.tiny_pretrained import write_transformer
from helpers.untrained import untrained_archive

from nerzoo.archives import load, unpack
from nerzoo.archives.transformers import load_transformer, pack
from nerzoo.inference.export_onnx import export_onnx
from nerzoo.inference.tagger import Tagger
from nerzoo.modules.span_decoders import HighestFirst, SpanDecoder
from nerzoo.runtime.onnx_tagger import OnnxTagger

EMBEDDING = {"type": "embedding", "embedding_dim": 7, "vocab_namespace": "tokens"}
CHARACTERS = {"embedding_dim": 4, "vocab_namespace": "token_characters"}
WORDS = {"type": "fofe_words", "indexer": "tokens", "embedder": EMBEDDING}
FORMS = {"type": "boundary_words", "indexer": "forms", "embedder": {"type": "lexical_features"}}
INDEXERS = {
    "tokens": {"type": "single_id", "lowercase_tokens": True},
    "characters": {"type": "characters", "min_padding_length": 1},
    "forms": "lexical_features",
}
ENCODED = {"indexer": "encoded", "embedder": {"type": "pass_through", "hidden_dim": 10}}
RARE = ["İstanbul", "1996", "B2B", "☃", "x" * 120, "PARIS", "Zoë"]
SENTENCES = [*(sentence["words"] for sentence in sentences()[::4]), RARE, *([word] for word in RARE), []]
SENTENCES.append([word for words in SENTENCES for word in words][:400])


def model(features, std=0.4, **options):
    return {
        "type": "fofe_ner",
        "features": features,
        "feedforward": {"num_layers": 2, "hidden_dims": 9, "activations": "relu"},
        "max_length": 4,
        # Weights so large that some spans are entities.
        "initializer": {"regexes": [[".*", {"type": "normal", "std": std}]]},
        **options,
    }


def archive(folder, parts, indexers=None, **reader):
    return untrained_archive(
        folder,
        parts,
        INDEXERS if indexers is None else indexers,
        data=FIXTURES / "people_and_places/train.conllu",
        **{"type": "entity_spans", "corpus": {"type": "conllu"}, "max_length": 4, **reader},
    )


VARIANTS = {
    "words": model({"words": {**WORDS, "alpha": 0.7}, "same_words": {**WORDS, "codes": ["context_excluding"]}}),
    "sums": model({"words": {**WORDS, "alpha": 1.0}}, std=0.2, decoder={"levels": [{"threshold": 0.3}]}),
    "filter": model({"words": WORDS}, span_filter={"threshold": 0.5}),
    "characters": model(
        {
            "forms": FORMS,
            "fofe": {"type": "fofe_characters", "indexer": "characters", "embedding": CHARACTERS, "alpha": 0.8},
            "initials": {"type": "fofe_characters", "indexer": "characters", "embedding": CHARACTERS, "initials": True},
            "cnn": {"type": "character_cnn", "indexer": "characters", "embedding": CHARACTERS, "num_filters": 3},
        }
    ),
    "encoded_and_nested": model(
        {"codes": {"type": "fofe_words", **ENCODED}, "ends": {"type": "boundary_words", **ENCODED}, "forms": FORMS},
        token_embedders={"forms": {"type": "lexical_features"}, "tokens": EMBEDDING},
        encoder={"type": "bilstm", "input_size": 13, "hidden_size": 5},
        temperature=1.7,
        none_bias=-1.0,
        min_probability=0.4,
        decoder={"levels": ["longest_first", {"type": "highest_first", "threshold": 0.3, "merge_adjacent": True}]},
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_predicts_as_the_archive_does(variant, tmp_path):
    path = archive(tmp_path / "archive", VARIANTS[variant])
    folder = export_onnx(path, tmp_path / "onnx")
    items = [{"words": words} for words in SENTENCES]
    items += [{"words": words, "types": ["place"]} for words in SENTENCES[:20]]
    expected = list(Tagger.load(path, "cpu", engine="torch")(items))
    assert sum(len(prediction["entities"]) for prediction in expected) > 40
    assert_same(list(OnnxTagger.load(folder, batch_tokens=300).predict(items)), expected, 1e-4)
    assert_same(list(Tagger.load(folder)(items)), expected, 1e-4)
    # Alone, sentences that are shorter than the longest spans, or in which a filter keeps none.
    alone = [words for words in SENTENCES if 0 < len(words) < 6]
    found = list(OnnxTagger.load(folder, batch_tokens=1).predict(alone))
    assert_same(found, list(Tagger.load(path, "cpu", engine="torch")({"words": words} for words in alone)), 1e-4)
    # With their gold entities, which have probabilities, too.
    annotated = [{**item, "entities": [{"start": 0, "end": 1, "label": "place"}]} for item in items[:20]]
    by_torch, by_onnx = (
        list(tagger(annotated)) for tagger in (Tagger.load(path, "cpu", engine="torch"), Tagger.load(folder, "cpu"))
    )
    assert_same(by_onnx, by_torch, 1e-4)


def test_features_of_a_transformer(tmp_path):
    (tmp_path / "transformer").mkdir()
    write_transformer(tmp_path / "transformer")
    name = str(tmp_path / "transformer")
    embedder = {"type": "transformer", "pretrained_file": name, "max_length": 12}
    features = {"codes": {"type": "fofe_words", "indexer": "pieces", "embedder": embedder}}
    parts = model(features, none_bias=-9.0, decoder={"levels": [{"threshold": 0.3}]})
    path = archive(tmp_path / "archive", parts, {"pieces": {"type": "transformer", "model_name": name}})
    pack(load_transformer(name), name, path)
    items = [{"words": words} for words in SENTENCES[:20]]
    expected = list(Tagger.load(path, "cpu", engine="torch")(items))
    assert any(prediction["entities"] for prediction in expected)
    assert_same(list(OnnxTagger.load(export_onnx(path, tmp_path / "onnx")).predict(items)), expected, 1e-4)


@pytest.mark.parametrize("variant", ["words", "filter"])
def test_the_same_loss_and_metrics(variant, tmp_path):
    """The filter has a loss of its own, which the exported model does not have."""
    path = archive(tmp_path / "archive", VARIANTS[variant])
    found = []
    for folder in (path, export_onnx(path, tmp_path / "onnx")):
        loaded = load(folder, "cpu", {"dataset_reader.corpus": "conllu"})
        instances = list(loaded.dataset_reader.read(FIXTURES / "people_and_places/dev.conllu"))
        loss = loaded.model.eval()(**tensors_of(instances, loaded.model.vocab))["loss"].item()
        metrics = loaded.model.get_metrics()
        left_out = ("loss", "filter_recall", "filter_share") if variant == "filter" else ()
        found.append({name: value for name, value in {"loss": loss, **metrics}.items() if name not in left_out})
    assert_same(found[1], found[0], 1e-4)
    assert found[0]["recall"] > 0


def test_training_and_spacy_take_it(tmp_path):
    path = archive(tmp_path / "archive", VARIANTS["encoded_and_nested"])
    folder = export_onnx(path, tmp_path / "onnx")
    nlp = spacy.blank("en")
    nlp.add_pipe("nerzoo", config={"model": str(folder), "annotate": "spans"})
    doc = nlp(" ".join(max(SENTENCES[:50], key=len)))
    expected = OnnxTagger.load(folder)([token.text for token in doc])["entities"]
    found = [(span.start, span.end, span.label_) for span in doc.spans["nerzoo"]]
    assert found == [(entity["start"], entity["end"], entity["label"]) for entity in expected] != []
    with pytest.raises(ConfigurationError, match="with a model of entities, expected ents or spans"):
        nlp.add_pipe("nerzoo", name="tags", config={"model": str(folder), "annotate": "tag"})
    unpack(folder, tmp_path / "restored")
    restored, original = (load_archive(folder).model for folder in (tmp_path / "restored", path))
    assert restored.types == original.types
    assert restored.state_dict().keys() == original.state_dict().keys()
    for name, tensor in original.state_dict().items():
        assert (restored.state_dict()[name] - tensor).abs().max() < 0.02, name


@SpanDecoder.register("mine")
class Mine(HighestFirst):
    """A decoder that a user has registered."""


@pytest.mark.parametrize(
    ("parts", "reader", "expected"),
    [
        (
            {"decoder": {"levels": ["highest_first", "mine"]}},
            {},
            "model.decoder.levels.1 of the type Mine, expected highest_first or longest_first",
        ),
        ({}, {"character_level": True}, "a reader of characters as tokens, expected one of words"),
    ],
)
def test_what_is_not_exported_is_named(parts, reader, expected, tmp_path):
    path = archive(tmp_path / "archive", model({"words": WORDS}, **parts), **reader)
    with pytest.raises(ConfigurationError, match=f"found {expected}"):
        export_onnx(path, tmp_path / "onnx")
    assert not (tmp_path / "onnx").exists()


def test_a_gazetteer_is_not_exported(tmp_path, monkeypatch):
    (tmp_path / "names.txt").write_text("person Mara Quill\n")
    monkeypatch.setenv("NERZOO_ALLOW", str(tmp_path / "names.txt"))
    features = {"names": {"type": "gazetteer_match", "indexer": "names"}}
    indexers = {"names": {"type": "gazetteer", "path": str(tmp_path / "names.txt")}}
    path = archive(tmp_path / "archive", model(features), indexers)
    found = "found model.features.names of the type GazetteerMatch, expected a tagger or fofe_ner that reads words by"
    with pytest.raises(ConfigurationError, match=found):
        export_onnx(path, tmp_path / "onnx")
