import math

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.modules.seq2seq_encoders import PassThroughEncoder
from allennlp.nn import InitializerApplicator
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.models.heads.tag_head import ProjectionHead
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.modules.tag_distributions import ConditionalRandomField
from nerzoo.modules.token_embedders.char_gated import AuxiliaryLoss
from nerzoo.text.annotation import Entity, Sentence

SIZE = 5
SENTENCES = [
    Sentence(["Mara", "Quill", "left", "Lindow"], heads=[2, 3, 0, 3], entities=[Entity(0, 2, "a"), Entity(3, 4, "b")]),
    Sentence(["Rain"], heads=[0]),
]
SEQ2BISEQ = {"type": "seq2biseq", "label_embedding_dim": 3, "hidden_size": 2}
OF_ALL = "sequence_entropy, least_confidence, marginals, gold_entities"


class Encoder(PassThroughEncoder, AuxiliaryLoss):
    """Reads `heads`, gives words as they are, and has a loss of 7 in training."""

    context = ("heads",)

    def __init__(self):
        super().__init__(SIZE)
        self.read = None

    def forward(self, inputs, mask, heads):
        self.read = heads
        self._keep(torch.tensor(7.0) if self.training else None)
        return inputs * mask.unsqueeze(-1)

    def attention(self, inputs, mask, heads):
        return heads.clamp(min=0) * mask


@pytest.fixture(scope="module")
def instances():
    reader = DatasetReader.from_params(
        Params({"type": "tagged_sentences", "corpus": "jsonl", "coding_scheme": "BIO"}),
    )
    instances = [reader.text_to_instance(sentence) for sentence in SENTENCES]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


@pytest.fixture(scope="module")
def vocab(instances):
    return Vocabulary.from_instances(instances)


@pytest.fixture
def batch(instances, vocab):
    return tensors_of(instances, vocab)


@pytest.fixture
def build(vocab):
    def build(encoder=None, initializer=None, embedders=None, **parameters):
        torch.manual_seed(13)
        embedders = embedders or {"tokens": {"type": "embedding", "embedding_dim": SIZE}}
        params = Params({"text_field_embedder": {"token_embedders": embedders}, **parameters})
        return TaggingModel.from_params(
            params, vocab=vocab, encoder=encoder or PassThroughEncoder(SIZE), initializer=initializer
        )

    return build


def test_the_head_is_a_crf_over_a_projection_by_default(build):
    model = build()
    assert isinstance(model.head, ProjectionHead)
    assert isinstance(model.head.distribution, ConditionalRandomField)
    assert model.head.coding_scheme == "BIO"


def test_an_encoder_reads_what_it_names_in_its_context(build, batch):
    encoder = Encoder()
    build(encoder)(**batch)
    assert encoder.read is batch["heads"]
    # Others do not see them.
    assert build()(**batch)["loss"].isfinite()
    del batch["heads"]
    with pytest.raises(ConfigurationError, match="^Encoder reads dependency trees, but the sentences have none"):
        build(encoder)(**batch)


def test_auxiliary_losses_are_part_of_the_loss_in_training_alone(build, batch):
    model = build(Encoder())
    assert_close(model(**batch)["loss"], build()(**batch)["loss"] + 7 / 5)
    assert model.get_metrics(reset=True) == {"auxiliary_loss": pytest.approx(7 / 5)}
    assert_close(model.eval()(**batch)["loss"], build().eval()(**batch)["loss"])
    assert "f1" in model.get_metrics()
    # They are not left over for a batch without gold tags.
    del batch["tags"]
    assert "loss" not in model.train()(**batch)
    assert model.encoder.auxiliary_loss() is None


@pytest.mark.parametrize("head", [{}, SEQ2BISEQ])
def test_every_loss_can_be_that_of_the_batch_or_of_its_sentences(build, batch, head):
    mean, whole, of_sentences = (
        build(Encoder(), head=dict(head), loss_reduction=name)(**batch) for name in ("mean", "sum", "sentence")
    )
    names = {"loss", "backward_loss"} if head else {"loss"}
    assert {name for name in mean if "loss" in name} == names
    for name in names:
        assert_close(whole[name], 5 * mean[name])
        assert_close(of_sentences[name], 5 / 2 * mean[name])
    with pytest.raises(ConfigurationError, match="the loss_reduction 'max', expected 'mean', 'sentence' or 'sum'"):
        build(loss_reduction="max")


def test_outputs_on_request_are_cut_to_their_sentences(build, instances):
    requested = ["n_best", "attention", "logits"]
    model = build(Encoder(), head={"n_best": 4}, extra_outputs=requested).eval()
    for sentence, prediction in zip(SENTENCES, model.forward_on_instances(instances), strict=True):
        assert prediction.keys() == {"words", "tags", "gold_tags", "entities", "heads", *requested}
        assert prediction["heads"] == sentence.heads
        assert prediction["attention"] == sentence.heads
        assert len(prediction["logits"]) == len(sentence.words)
        best, *others = prediction["n_best"]
        assert best["tags"] == prediction["tags"]
        found = [{key: entity[key] for key in ("start", "end", "label")} for entity in prediction["entities"]]
        assert best["entities"] == found
        # Of one word O, B-a and B-b; of four words there are more.
        assert len(others) == (2 if len(sentence.words) == 1 else 3)
        probabilities = [sequence["probability"] for sequence in prediction["n_best"]]
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) <= 1 + 1e-5
        assert all(len(sequence["tags"]) == len(sentence.words) for sequence in others)
    assert build().eval().forward_on_instance(instances[0]).keys() == {"words", "tags", "gold_tags", "entities"}


def test_syntax_beside_attention_of_those_sentences_that_have_it(build):
    reader = DatasetReader.from_params(Params({"type": "tagged_sentences", "corpus": "jsonl", "coding_scheme": "BIO"}))
    sentences = [
        Sentence(["Rain"], heads=[0], pos=["NN"], dep_labels=["root"]),
        Sentence(["Rain", "fell"], heads=[2, 0]),
    ]
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    first, second = build(Encoder(), extra_outputs=["attention"]).eval().forward_on_instances(instances)
    assert (first["pos"], first["heads"], first["dep_labels"]) == (["NN"], [0], ["root"])
    assert (second["pos"], second["heads"], second["dep_labels"]) == (None, [2, 0], None)
    assert "heads" not in build(Encoder(), extra_outputs=["logits"]).eval().forward_on_instance(instances[0])


def test_the_loss_is_not_part_of_predictions(build, instances):
    assert "loss" not in build().eval().forward_on_instance(instances[0])


@pytest.mark.parametrize(
    "parameters, choices",
    [
        ({}, "logits, n_best"),
        ({"encoder": Encoder()}, "logits, n_best, attention"),
        ({"head": SEQ2BISEQ}, "probabilities, backward_tags"),
        ({"head": {**SEQ2BISEQ, "forward_only": True}}, "probabilities"),
    ],
)
def test_what_can_be_requested_depends_on_the_parts(build, parameters, choices):
    with pytest.raises(
        ConfigurationError, match=f"found the extra output 'gate', expected one of {OF_ALL}, {choices}; attention needs"
    ):
        build(extra_outputs=["gate"], **parameters)


def test_outputs_are_added_to_a_model(build, instances):
    model = build(extra_outputs=["n_best"]).eval()
    for name in ("sequence_entropy", "least_confidence", "sequence_entropy"):
        model.add_extra_output(name)
    for prediction in model.forward_on_instances(instances):
        best = prediction["n_best"][0]["probability"]
        assert prediction["least_confidence"] == pytest.approx(1 - best, abs=1e-5)
        # No less than that of the best sequence against all others together.
        rest = 1 - best
        assert prediction["sequence_entropy"] >= -best * math.log(best) - rest * math.log(max(rest, 1e-9)) - 1e-4
    with pytest.raises(ConfigurationError, match=f"found the extra output 'gate', expected one of {OF_ALL}, logits"):
        model.add_extra_output("gate")


def test_one_gate_can_be_requested_and_not_which_of_two(build):
    def embedder():
        characters = {"type": "boe", "embedding_dim": 3}
        return {
            "type": "char_gated",
            "word_embedding": {"embedding_dim": SIZE},
            "character_encoder": {
                "type": "character_encoding",
                "embedding": {"embedding_dim": 3, "num_embeddings": 9},
                "encoder": characters,
            },
        }

    assert build(embedders={"words": embedder()}, extra_outputs=["gate"])
    expected = f"found the extra output 'gate', expected one of {OF_ALL}, logits, n_best;"
    with pytest.raises(ConfigurationError, match=expected):
        build(
            PassThroughEncoder(2 * SIZE),
            embedders={"words": embedder(), "others": embedder()},
            extra_outputs=["gate"],
        )


def test_an_initializer_sees_the_head(build):
    initializer = InitializerApplicator.from_params(
        Params({"regexes": [["head.*transitions", {"type": "constant", "val": 3.0}]]})
    )
    assert (build(initializer=initializer).head.distribution.start_transitions == 3.0).all()


def test_sizes_that_do_not_fit(build):
    with pytest.raises(ConfigurationError, match="size of the embedded words .*encoder.* 5 and 6"):
        build(PassThroughEncoder(6))


def test_options_that_are_the_heads(build):
    with pytest.raises(TypeError, match="metrics_per_type"):
        build(metrics_per_type=True)
