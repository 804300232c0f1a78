"""Sentences in which only some types of entities were looked for, from the corpus to the loss and the predictions."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model
from helpers.configurations import render

TYPES = {"people": ["PER", "ORG"], "places": ["LOC"]}
SENTENCES = {
    "people": ("Mara met the Guild in Lindow", [(0, 1, "PER"), (2, 4, "ORG")]),
    "places": ("Mara left Lindow", [(2, 3, "LOC")]),
}


@pytest.fixture
def corpus(tmp_path):
    """A mixture of two corpora, a sentence each."""
    for name, (text, entities) in SENTENCES.items():
        spans = [{"start": start, "end": end, "label": label} for start, end, label in entities]
        line = {"words": text.split(), "entities": spans, "doc_id": name}
        (tmp_path / f"{name}.train.jsonl").write_text(json.dumps(line) + "\n")
    parts = {
        name: {"corpus": "jsonl", "files": f"{name}.*.jsonl", "labels": {label: label for label in labels}}
        for name, labels in TYPES.items()
    }
    return {"type": "mixture", "parts": parts, "partial": True}, tmp_path / "train"


def batch(job, corpus, only="", **options):
    """Returns a model with the configuration of a main job, untrained, and a batch of both sentences, or of one."""
    mixture, path = corpus
    config = render(job)
    reader = DatasetReader.from_params(Params({**config["dataset_reader"], "corpus": mixture, **options}))
    instances = list(reader.read(path))
    vocab = Vocabulary.from_instances(instances)
    torch.manual_seed(1)
    model = Model.from_params(Params(config["model"]), vocab=vocab).eval()
    instances = Batch([instance for instance in instances if only in instance["metadata"].metadata["document_id"]])
    instances.index_instances(vocab)
    return model, instances.as_tensor_dict()


@pytest.mark.parametrize("job", ["ner", "memory_ner"])
def test_taggers_choose_among_the_types_of_the_corpus(job, corpus):
    model, tensors = batch(job, corpus)
    # O, and four tags of BIOUL or two of BIO a type
    tags_per_type = 4 if job == "ner" else 2
    assert tensors["annotated"].sum(1).tolist() == [1 + 2 * tags_per_type, 1 + tags_per_type]
    tags = model.vocab.get_index_to_token_vocabulary("labels")
    bias = model.head.tag_projection.bias
    # Whatever is wanted most by far, only types of the corpus of a sentence are predicted.
    for wanted in ("B-PER", "B-LOC", "B-ORG"):
        bias.data[:] = torch.tensor([50.0 * (tags[i] == wanted) for i in range(len(bias))])
        outputs = model(**tensors)
        for name, row in zip(TYPES, outputs["tags"].tolist(), strict=True):
            found = {tags[tag].partition("-")[2] for tag in row} - {""}
            assert found <= {*TYPES[name]} and (found == {wanted[2:]}) == (wanted[2:] in TYPES[name])
        assert outputs["loss"].isfinite()


@pytest.mark.parametrize("job", ["ner", "memory_ner", "fofe_ner"])
def test_a_sentence_says_nothing_of_other_types(job, corpus):
    model, tensors = batch(job, corpus, only="places")
    head = model.label_projection if job == "fofe_ner" else model.head.tag_projection
    model(**tensors)["loss"].backward()
    names = model.vocab.get_index_to_token_vocabulary("labels")
    # The first score of FOFE-NER is that of no entity.
    gradients = head.bias.grad[1:] if job == "fofe_ner" else head.bias.grad
    for index, gradient in enumerate(gradients.tolist()):
        assert (gradient != 0) == names[index].endswith(("O", "LOC"))


def test_spans_have_the_types_of_the_corpus(corpus):
    model, tensors = batch("fofe_ner", corpus)
    model.label_projection.bias.data[:] = 50.0 * (torch.arange(4) > 0)
    outputs = model(**tensors)
    for name, entities in zip(TYPES, outputs["entities"], strict=True):
        assert {entity.label for entity in entities} <= {*TYPES[name]} and entities


def test_raw_text_has_all_types(corpus):
    model, tensors = batch("ner", corpus)
    del tensors["annotated"], tensors["tags"]
    tags = model.vocab.get_token_to_index_vocabulary("labels")
    model.head.tag_projection.bias.data[tags["U-LOC"]] = 50.0
    assert (model(**tensors)["tags"][0] == tags["U-LOC"]).all()


def test_decoders_of_seq2biseq_refuse_it(corpus):
    model, tensors = batch("seq2biseq", corpus, tags_from="entities")
    with pytest.raises(ConfigurationError, match="only some types are annotated, expected the head projection"):
        model(**tensors)
