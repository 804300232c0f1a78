import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader
from allennlp.models import Model
from helpers.paths import ROOT
from helpers.tensors_of import tensors_of
from torch.testing import assert_close

from nerzoo.models.sequence_tagger import AuxiliaryLosses
from nerzoo.modules.token_embedders.char_gated import AuxiliaryLoss
from nerzoo.text.annotation import Document, Sentence

CONFIG = "training_config/memory_ner.jsonnet"
DOCUMENTS = "fixtures/people_and_places/dev.conllu"
ONE_EPOCH = {
    "train_data_path": DOCUMENTS,
    "trainer.num_epochs": 1,
    "data_loader.batch_sampler": {"type": "bucket", "batch_size": 2, "padding_noise": 0.0, "shuffle": False},
}


class TestMemoryTagger(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.set_up_model(CONFIG, DOCUMENTS, seed=13)
        self.reader = DatasetReader.from_params(Params.from_file(CONFIG)["dataset_reader"])

    def build(self, **parameters):
        params = Params.from_file(CONFIG)["model"].as_dict()
        size = params["encoder"]["input_size"]
        encoder = {"type": "memory_hop", "input_size": size, "hidden_size": 5, **parameters.pop("encoder", {})}
        torch.manual_seed(13)
        return Model.from_params(Params({**params, "encoder": encoder, **parameters}), vocab=self.vocab)

    def tensors(self, instances, *without):
        return tensors_of(instances, self.vocab, *without)

    def predict(self, model, document):
        instance = self.reader.text_to_instance(document, tagged=False)
        self.reader.apply_token_indexers(instance)
        return model.eval().forward_on_instance(instance)

    def test_can_train_save_and_load(self):
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(ONE_EPOCH))

    @pytest.mark.parametrize("current_input", ["memory", "sentence"])
    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_predicts_the_same_alone_and_in_a_batch(self, distribution, current_input):
        head, encoder = {"distribution": distribution}, {"current_input": current_input}
        model = self.build(head=head, encoder=encoder, extra_outputs=["attention"])
        model.eval()
        together = model.forward_on_instances(self.instances)
        for instance, prediction in zip(self.instances, together, strict=True):
            alone = model.forward_on_instance(instance)
            for ours, theirs in zip(prediction["sentences"], alone["sentences"], strict=True):
                assert ours["tags"] == theirs["tags"]
                for slots, slots_alone in zip(ours["attention"], theirs["attention"], strict=True):
                    assert [slot["weight"] for slot in slots] == pytest.approx(
                        [slot["weight"] for slot in slots_alone], rel=1e-4
                    )

    def test_auxiliary_losses_of_its_parts_are_in_the_loss_of_training(self):
        class Part(torch.nn.Module, AuxiliaryLoss):
            pass

        model, batch = self.build(encoder={"dropout": 0.0}), self.tensors(self.instances)
        without = model(**batch)["loss"]
        assert model.get_metrics() == {}
        model.part = Part()
        model._auxiliary_losses = AuxiliaryLosses(model)
        model.part._keep(torch.tensor(12.0))
        of_each_word = 12.0 / sum(len(instance["tokens"]) for instance in self.instances)
        assert_close(model(**batch)["loss"] - without, torch.tensor(of_each_word), rtol=1e-3, atol=1e-5)
        assert model.get_metrics() == {"auxiliary_loss": pytest.approx(of_each_word)}

    @pytest.mark.parametrize("current_input", ["memory", "sentence"])
    def test_overfits(self, current_input):
        instances = self.instances[:2]
        model = self.build(encoder={"current_input": current_input, "hidden_size": 20})
        batch = self.tensors(instances)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(60):
            optimizer.zero_grad()
            model(**batch)["loss"].backward()
            optimizer.step()
        predictions = model.eval().forward_on_instances(instances)
        assert model.get_metrics()["f1"] == 1.0
        for prediction, instance in zip(predictions, instances, strict=True):
            for sentence, metadata in zip(prediction["sentences"], instance["metadata"]["sentences"], strict=True):
                assert sentence["words"] == metadata["words"]
                assert sentence["tags"] == sentence["gold_tags"] == metadata["gold_tags"]

    def test_loss_is_that_of_the_sentences(self):
        """The document encoded once, then each sentence by itself through the decoder."""
        model = self.build(encoder={"dropout": 0.0}).eval()
        batch = self.tensors(self.instances[:1])
        inputs = model.text_field_embedder(batch["tokens"])
        length = inputs.shape[1]
        encoded = model.encoder(inputs, torch.ones(1, length, dtype=torch.bool))[0]
        losses, start = [], 0
        for sentence in self.instances[0]["metadata"]["sentences"]:
            end = start + len(sentence["words"])
            rows = encoded[start:end].unsqueeze(0)
            mask = torch.ones(rows.shape[:2], dtype=torch.bool)
            losses.append(model.head(rows, mask, batch["tags"][:, start:end])["loss"] * (end - start))
            start = end
        assert start == length
        assert_close(model(**batch)["loss"], torch.stack(losses).sum() / length)

    def test_current_input_of_the_sentence_alone(self):
        """Equal to running the GRU of the input memory on each sentence by itself."""
        model = self.build(encoder={"current_input": "sentence", "num_hops": 0, "dropout": 0.0}).eval()
        batch = self.tensors(self.instances[:2])
        logits = model(**batch)["logits"].unflatten(0, (2, -1))
        inputs = model.text_field_embedder(batch["tokens"])
        for d, instance in enumerate(self.instances[:2]):
            start = 0
            for s, sentence in enumerate(instance["metadata"]["sentences"]):
                n = len(sentence["words"])
                rows = inputs[d : d + 1, start : start + n]
                states = model.encoder.input_memory.gru(rows, torch.ones(1, n, dtype=torch.bool))
                u = torch.tanh(model.encoder.current_projection(states))
                assert_close(logits[d, s, :n], model.head.tag_projection(u)[0])
                start += n

    def test_what_is_outside_of_the_memory_is_tagged_all_the_same(self):
        batch = self.tensors(self.instances)
        everything = self.build().eval()(**batch)
        for window in ({"size": 3}, {"size": 3, "kept": "first"}):
            outputs = self.build(encoder={"window": window}).eval()(**batch)
            assert_close(outputs["mask"], everything["mask"])
            assert not torch.allclose(outputs["logits"], everything["logits"])

    def test_earlier_sentences_matter_and_later_ones_only_through_the_gru(self):
        words = [["Mara", "left", "."], ["Mara", "came", "back"]]
        model = self.build(extra_outputs=["attention"])
        document = Document("d", [Sentence(sentence) for sentence in words])
        prediction = self.predict(model, document)
        assert prediction["doc_id"] == "d"
        first, second = prediction["sentences"]
        assert [slot["position"] for slot in first["attention"][0]] == [0]
        assert {slot["position"] for slot in second["attention"][0]} == {0, 1, 2, 3}
        for slot in second["attention"][0]:
            assert slot["word"] == [*words[0], *words[1]][slot["position"]]
        assert sum(slot["weight"] for slot in second["attention"][0]) == pytest.approx(1.0)

    def test_the_null_memory_has_no_word(self):
        model = self.build(extra_outputs=["attention"], encoder={"null_memory": True})
        prediction = self.predict(model, Document("d", [Sentence(["Mara"])]))
        (slots,) = prediction["sentences"][0]["attention"]
        assert {(slot["position"], slot["word"]) for slot in slots} == {(0, "Mara"), (None, None)}

    def test_a_document_of_one_token(self):
        prediction = self.predict(self.build(), Document("d", [Sentence(["Mara"])]))
        assert [sentence["words"] for sentence in prediction["sentences"]] == [["Mara"]]

    def test_other_encoders_read_documents_too(self):
        size = self.model.encoder.get_input_dim()
        params = Params.from_file(CONFIG)["model"].as_dict()
        encoder = {"type": "bilstm", "input_size": size, "hidden_size": 3}
        model = Model.from_params(Params({**params, "encoder": encoder}), vocab=self.vocab)
        assert model(**self.tensors(self.instances))["loss"].isfinite()

    def test_a_window_changes_nothing_where_it_holds_the_document(self):
        batch = self.tensors(self.instances)
        longest = max(len(instance["tokens"]) for instance in self.instances)
        expected = self.build(encoder={"dropout": 0.0})(**batch)["loss"]
        for kept in ("first", "recent"):
            model = self.build(encoder={"dropout": 0.0, "window": {"size": longest, "kept": kept}})
            assert_close(model(**batch)["loss"], expected)

    def test_sentences_are_missing(self):
        with pytest.raises(ConfigurationError, match="found instances without sentences, expected .* tagged_documents"):
            self.model(**self.tensors(self.instances, "sentences"))

    def test_input_dropout(self):
        batch = self.tensors(self.instances)
        losses = [
            self.build(encoder={"dropout": 0.0}, input_dropout=dropout)(**batch)["loss"] for dropout in ("word", None)
        ]
        assert losses[0] != losses[1]

    def test_trees_of_documents_are_missing(self):
        size = self.model.encoder.get_input_dim()
        params = Params.from_file(CONFIG)["model"].as_dict()
        encoder = {"type": "child_sum_tree_lstm", "input_size": size, "hidden_size": 3}
        model = Model.from_params(Params({**params, "encoder": encoder}), vocab=self.vocab)
        with pytest.raises(ConfigurationError, match="ChildSumTreeLstm reads dependency trees, but"):
            model(**self.tensors(self.instances))

    def test_predictions_hold_words_tags_and_entities_only(self):
        prediction = self.model.eval().forward_on_instance(self.instances[0])
        assert prediction.keys() == {"doc_id", "sentences"}
        for sentence in prediction["sentences"]:
            assert sentence.keys() == {"doc_id", "words", "tags", "gold_tags", "entities"}

    @pytest.mark.parametrize("name", ["logits", "n_best"])
    def test_extra_outputs_of_the_head(self, name):
        model = self.build(extra_outputs=[name]).eval()
        for prediction in model.forward_on_instances(self.instances):
            for sentence in prediction["sentences"]:
                if name == "logits":
                    assert len(sentence["logits"]) == len(sentence["words"])
                else:
                    assert sentence["n_best"][0]["tags"] == sentence["tags"]

    def test_another_head(self):
        head = {"type": "seq2biseq", "label_embedding_dim": 3, "hidden_size": 4}
        model = self.build(head=head, extra_outputs=["backward_tags"]).eval()
        for prediction in model.forward_on_instances(self.instances):
            for sentence in prediction["sentences"]:
                assert len(sentence["backward_tags"]) == len(sentence["tags"]) == len(sentence["words"])

    @pytest.mark.parametrize("num_attended", [1, 2, 3, 100])
    def test_number_of_positions_in_predictions(self, num_attended):
        document = Document("d", [Sentence(["Mara", "left", "."]), Sentence(["Mara"])])
        everything = self.build(extra_outputs=["attention"], num_attended=4)
        some = self.build(extra_outputs=["attention"], num_attended=num_attended)
        for all_of, some_of in zip(
            *(self.predict(model, document)["sentences"] for model in (everything, some)), strict=True
        ):
            for all_slots, slots in zip(all_of["attention"], some_of["attention"], strict=True):
                assert slots == all_slots[:num_attended]
        assert [len(slots) for slots in all_of["attention"]] == [4]

    @pytest.mark.parametrize(
        "parameters, message",
        [
            ({"encoder": {"current_input": "none"}}, "found the current_input 'none', expected 'memory' or 'sentence'"),
            ({"num_attended": 0}, "found the num_attended 0, expected at least 1"),
            (
                {"extra_outputs": ["slots"]},
                "'slots', expected one of sequence_entropy, .*, marginals, gold_entities, logits, n_best, attention",
            ),
            (
                {"extra_outputs": ["attention"], "encoder": {"num_hops": 0}},
                "found the extra output 'attention', .* needs an encoder",
            ),
            (
                {"encoder": {"type": "bilstm"}, "extra_outputs": ["attention"]},
                "found the extra output 'attention', .* needs an encoder",
            ),
            ({"encoder": {"input_size": 7}}, "size of the embedded words"),
            (
                {"head": {"feedforward": {"input_dim": 6, "num_layers": 1, "hidden_dims": 3, "activations": "relu"}}},
                "feedforward",
            ),
        ],
    )
    def test_bad_parameters(self, parameters, message):
        with pytest.raises(ConfigurationError, match=message):
            self.build(**parameters)

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    @pytest.mark.parametrize("current_input", ["memory", "sentence"])
    def test_gpu_agrees_with_cpu(self, current_input):
        from allennlp.nn.util import move_to_device

        model = self.build(encoder={"current_input": current_input, "dropout": 0.0})
        batch = self.tensors(self.instances, "metadata")
        losses = []
        for device in ("cpu", "cuda"):
            model.to(device)
            losses.append(model(**move_to_device(batch, torch.device(device)))["loss"].cpu())
        # A sum over all words in float32, added up in another order.
        assert_close(*losses, rtol=2e-5, atol=0)
