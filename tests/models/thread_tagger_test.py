import json
from dataclasses import replace

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

from nerzoo.formats.threads import Link, Post, Thread
from nerzoo.models.thread_tagger import ThreadTagger

CONFIG = "training_config/thread_structure.jsonnet"
THREADS = "fixtures/threads/dev.jsonl"
ONE_EPOCH = {
    "train_data_path": THREADS,
    "trainer.num_epochs": 1,
    "trainer.cuda_device": -1,
    # AllenNLP's test reads the first batch twice and wants the same.
    "data_loader.batch_sampler": {"type": "bucket", "batch_size": 4, "padding_noise": 0.0, "shuffle": False},
}
QUESTION = Post("a", "ann", "Why?", links=[Link(None, "question")])
ANSWER = Post("b", "bob", "So.", links=[Link("a", "answer")])


class TestThreadTagger(ModelTestCase):
    @pytest.fixture(autouse=True)
    def set_up(self, monkeypatch):
        monkeypatch.chdir(ROOT)
        self.set_up_model(CONFIG, THREADS, seed=13)
        self.reader = DatasetReader.from_params(Params.from_file(CONFIG)["dataset_reader"])

    def build(self, of_memory=None, **parameters) -> ThreadTagger:
        """The configured model with other parameters, some of them the memory's."""
        params = Params.from_file(CONFIG)["model"].as_dict()
        params.update(parameters)
        params["memory"].update(of_memory or {})
        torch.manual_seed(13)
        return Model.from_params(Params(params), vocab=self.vocab)

    def instances_of(self, *threads):
        instances = [self.reader.text_to_instance(thread) for thread in threads]
        for instance in instances:
            self.reader.apply_token_indexers(instance)
        return instances

    def tensors(self, instances, *without) -> dict:
        return tensors_of(instances, self.vocab, *without)

    def test_can_train_save_and_load(self):
        self.ensure_model_can_train_save_and_load(CONFIG, overrides=json.dumps(ONE_EPOCH))

    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_predicts_the_same_alone_and_in_a_batch(self, distribution):
        self.model = self.build(distribution=distribution).double()
        self.ensure_batch_predictions_are_consistent()

    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_overfits(self, distribution):
        model, batch = self.build(distribution=distribution), self.tensors(self.instances)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        for _ in range(150):
            optimizer.zero_grad()
            model(**batch)["loss"].backward()
            optimizer.step()
        model.eval()(**batch)
        assert model.get_metrics()["joint_f1"] > 0.9

    def test_posts_of_a_context_are_read_and_not_tagged(self):
        model = self.build().double().eval()
        lost = Post("c", "cy", "Aha!", links=[Link("before", "answer")])
        bare = replace(QUESTION, links=None, is_context=True)
        with_context = Thread("t", [bare, ANSWER, lost])
        other_context = Thread("t", [replace(bare, text="Never mind"), ANSWER, lost])
        alone = Thread("t", [replace(ANSWER, links=[Link(None, "answer")]), lost])
        batch = self.instances_of(with_context, other_context, alone)
        outputs = model.forward_on_instances(batch)
        first, second, third = (output["posts"] for output in outputs)
        assert first[0] == second[0] == {"id": "a", "context": True}
        assert [post["id"] for post in first[1:]] == [post["id"] for post in third] == ["b", "c"]
        assert first[1]["link"] in (None, "a") and first[1]["act_probability"] != second[1]["act_probability"]
        assert first[2]["gold_links"] == [{"to": "before", "act": "answer"}]
        # The link to the head, which is the third thread's alone, counts; a link to what the thread lacks is missed.
        model.get_metrics(reset=True)
        model(**self.tensors(batch))
        metrics = model.get_metrics(reset=True)
        assert metrics["link_recall"] <= 3 / 6 and metrics["link_thread_accuracy"] == 0

    def test_the_loss_of_a_context_is_that_of_the_posts_after_it(self):
        model = self.build(alpha=1.0).double()
        thread = Thread("t", [replace(QUESTION, links=None, is_context=True), ANSWER, replace(ANSWER, id="c")])
        (tensors,) = [self.tensors(self.instances_of(thread), "links")]
        outputs = model.eval()(**tensors)
        assert outputs["mask"].tolist() == [[True, True, False]] and outputs["num_context"].tolist() == [1]
        acts = torch.full((1, 3), model.vocab.get_token_index("answer", "labels"))
        expected = -model.distribution.log_likelihood(outputs["logits"], acts, outputs["mask"]) / 2
        assert_close(model(**self.tensors(self.instances_of(thread)))["loss"], expected.squeeze())

    def test_a_link_to_what_the_thread_lacks_is_not_learned(self):
        model = self.build(alpha=0.0).double()
        context = replace(QUESTION, links=None, is_context=True)
        lost = Post("c", "cy", "Aha!", links=[Link("before", "answer")])
        batches = [self.tensors(self.instances_of(Thread("t", [context, ANSWER, lost])))]
        outputs = model.eval()(**batches[0])
        expected = -outputs["attention"][0, 1, 1].log() / 2
        assert_close(outputs["loss"], expected)

    def test_a_bias_of_distances(self):
        model = self.build(distance_bias=True).double().eval()
        posts = [replace(QUESTION, id=f"{number}", links=[Link(None, "question")]) for number in range(9)]
        tensors = self.tensors(self.instances_of(Thread("t", posts)))
        before = model(**tensors)["link_log_probabilities"][0, 8]
        # From the last of nine posts: the head, distances 8, 7 to 4, 3 and 2, 1, and the post itself.
        model.distance_bias.data = torch.tensor([9.0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 5]).double()
        after = model(**tensors)["link_log_probabilities"][0, 8]
        added = torch.tensor([5, 4, 3, 3, 3, 3, 2, 2, 1.0]).double()
        assert_close(after[:9], (before[:9] + added).log_softmax(0))
        model(**tensors)["loss"].backward()
        assert model.distance_bias.grad.count_nonzero() == 6

    def test_a_post_without_text_is_tagged(self):
        model = self.build().eval()
        silent = Thread("t", [replace(QUESTION, text=""), replace(ANSWER, text="")])
        for threads in ([silent], [silent, Thread("u", [QUESTION, ANSWER])]):
            prediction = model.forward_on_instances(self.instances_of(*threads))[0]
            assert [post["id"] for post in prediction["posts"]] == ["a", "b"]
            assert all(0 < post["act_probability"] <= 1 for post in prediction["posts"])

    @pytest.mark.parametrize("num_hops", [1, 2])
    @pytest.mark.parametrize("exclude_self", [False, True])
    @pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
    def test_loss_is_equations_11_and_12_averaged_over_posts(self, alpha, exclude_self, num_hops):
        model = self.build({"num_hops": num_hops}, alpha=alpha, exclude_self=exclude_self).double().eval()
        torch.nn.init.normal_(model.structure_projection.weight)  # So that weights differ.
        act_loss = link_loss = count = 0
        for instance in self.instances:
            thread = self.tensors([instance])
            outputs = model(**thread)
            slots, acts = thread["links"]["slots"][..., 0], thread["links"]["acts"][..., 0]
            act_loss -= model.distribution.log_likelihood(outputs["logits"], acts, outputs["mask"])
            for post, slot in enumerate(slots[0]):
                weights = outputs["attention"][0, post]
                link_loss -= (weights[slot] / weights[: post + 2 - exclude_self].sum()).log()
                assert not outputs["attention"][0, post, post + 2 :].any()
                count += 1
        together = model(**self.tensors(self.instances))
        assert_close(together["loss"], ((alpha * act_loss + (1 - alpha) * link_loss) / count).squeeze())

    def test_an_unknown_act_counts_as_missed(self):
        model = self.build().double().eval()
        shouted = replace(QUESTION, links=[Link(None, "shout")])
        outputs = model(**self.tensors(self.instances_of(Thread("t", [shouted]))))
        assert outputs["loss"].isfinite() and model.get_metrics()["act_f1"] == 0

    def test_the_last_hop_is_supervised(self):
        model = self.build({"num_hops": 3}).double().eval()
        batch = self.tensors(self.instances, "links")
        seen = []
        read = model.memory.read
        model.memory.read = lambda *args: seen.append(read(*args)) or seen[-1]
        assert_close(model(**batch)["attention"], seen[0].attention[-1])

    def test_links_are_the_most_attended_slots_before_the_post(self):
        model = self.build().double().eval()
        outputs = model(**self.tensors(self.instances))
        for slots, attention, mask in zip(outputs["slots"], outputs["attention"], outputs["mask"], strict=True):
            for post, slot in enumerate(slots):
                expected = attention[post, : post + 1].argmax() if mask[post] else 0
                assert slot == expected

    def test_posts_are_made_of_titles_texts_structure_and_punctuation(self):
        model = self.build().double().eval()
        batch = self.tensors(self.instances)
        seen = []
        model.memory.read = lambda posts, mask, read=model.memory.read: seen.append((posts, mask)) or read(posts, mask)
        model(**batch)
        ((posts, mask),) = seen
        assert mask.sum(1).tolist() == [len(instance["texts"]) for instance in self.instances]
        for row, instance in enumerate(self.instances):
            for post, (title, text) in enumerate(zip(instance["titles"], instance["texts"], strict=True)):
                parts = [
                    self.encoded(model, model.title_encoder, title),
                    self.encoded(model, model.text_encoder, text),
                    model.structure_projection(batch["structure"][row, post].double()),
                    model.punctuation_projection(batch["punctuation"][row, post].double()),
                ]
                assert_close(posts[row, post], torch.cat(parts))

    def encoded(self, model, encoder, words):
        if not len(words):
            return torch.zeros(encoder.get_output_dim(), dtype=torch.float64)
        ids = torch.tensor([[self.vocab.get_token_index(word.text.lower()) for word in words]])
        return encoder(model.text_field_embedder({"tokens": {"tokens": ids}}), ids > 0)[0]

    def test_gold_links_change_nothing_but_the_loss(self):
        model = self.build().eval()
        with_links, without = model(**self.tensors(self.instances)), model(**self.tensors(self.instances, "links"))
        assert with_links.keys() - without.keys() == {"loss"}
        for name in ("slots", "acts", "attention"):
            assert_close(with_links[name], without[name])

    def test_the_loss_is_not_among_the_predictions(self):
        outputs = self.model.eval()(**self.tensors(self.instances))
        assert "loss" in outputs
        assert self.model.make_output_human_readable(outputs).keys() == {"id", "posts"}

    def test_options_of_the_distribution(self):
        assert self.build().distribution.start_transitions.any()
        distribution = {"type": "crf", "include_start_end_transitions": False}
        assert not self.build(distribution=distribution).distribution.start_transitions.any()

    def test_a_window_bounds_the_posts_that_are_attended_to(self):
        model = self.build({"window": {"size": 2}}).eval()
        outputs = model(**self.tensors(self.instances))
        for attention, mask in zip(outputs["attention"], outputs["mask"], strict=True):
            for post in range(int(mask.sum())):
                # The head, the post before and the post itself.
                assert attention[post].nonzero().flatten().tolist() == sorted({0, max(post, 1), post + 1})

    def test_scores_in_evaluation_alone(self):
        batch = self.tensors(self.instances)
        model = self.build(metrics_by_depth=True).train()
        assert not {"slots", "acts"} & model(**batch).keys()
        assert model.get_metrics() == {}
        model.eval()(**batch)
        assert {"joint_f1", "link_f1-[7,)"} <= model.get_metrics().keys()

    @pytest.mark.parametrize("distribution", ["crf", "softmax"])
    def test_output_of_predictions(self, distribution):
        model = self.build(distribution=distribution, extra_outputs=["attention"]).eval()
        outputs = model.forward_on_instances(self.instances)
        for instance, output in zip(self.instances, outputs, strict=True):
            metadata = instance["metadata"].metadata
            assert output["id"] == metadata["thread_id"]
            assert [post["id"] for post in output["posts"]] == metadata["post_ids"]
            for number, post in enumerate(output["posts"]):
                weights = post["attention"]
                assert len(weights) == number + 2
                assert sum(weights) == pytest.approx(1, abs=1e-5)
                slot = [None, *metadata["post_ids"]].index(post["link"])
                assert slot <= number
                assert post["link_probability"] == pytest.approx(weights[slot] / sum(weights[:-1]), rel=1e-4)
                assert 0 < post["act_probability"] <= 1
                assert post["act"] in self.vocab.get_token_to_index_vocabulary("labels")
        assert outputs[0]["posts"][0]["link_probability"] == 1
        json.dumps([output["posts"] for output in outputs])
        (plain, *_) = self.build().eval().forward_on_instances(self.instances)
        assert plain["posts"][0].keys() == {"id", "act", "act_probability", "link", "link_probability", "gold_links"}

    def test_a_thread_of_one_post_links_to_the_head(self):
        alone = Thread("t", [QUESTION])
        (output,) = self.build().eval().forward_on_instances(self.instances_of(alone))
        assert output["posts"][0]["link"] is None

    def test_nothing_is_infinite_or_unknown(self):
        model = self.build()
        threads = [Thread("t", [QUESTION]), Thread("u", [QUESTION, ANSWER])]
        model(**self.tensors(self.instances_of(*threads)))["loss"].backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad.isfinite().all(), name

    @pytest.mark.parametrize("exclude_self", [False, True])
    def test_a_link_whose_probability_is_zero_in_single_precision_is_learned(self, exclude_self):
        model = self.build(exclude_self=exclude_self, alpha=0.0).eval()
        seen = []

        def read(posts, mask, read=model.memory.read):
            memory = read(posts, mask)
            scores = memory.scores.index_add(-1, torch.tensor([0]), torch.full((*memory.scores.shape[:-1], 1), 1e3))
            scores.retain_grad()
            seen.append(scores)
            return memory._replace(scores=scores)

        model.memory.read = read
        batch = self.tensors(self.instances)
        loss = model(**batch)["loss"]
        loss.backward()
        assert loss.isfinite()
        slots = batch["links"]["slots"][..., 0]
        gradients = seen[0].grad[-1].gather(2, slots.clamp(min=0).unsqueeze(2)).squeeze(2)
        assert (slots > 0).any() and (gradients[slots > 0] < 0).all()

    def test_links_that_a_window_hides_have_no_loss(self):
        model = self.build({"window": {"size": 1}}, alpha=0.0, exclude_self=True).eval()
        posts = [QUESTION, replace(ANSWER, id="2"), replace(ANSWER, id="3")]
        loss = model(**self.tensors(self.instances_of(Thread("t", posts))))["loss"]
        loss.backward()
        assert loss.isfinite()
        assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in model.parameters())

    @pytest.mark.parametrize(
        ("of_memory", "parameters", "message"),
        [
            ({}, {"distribution": "no_such"}, "no_such not in acceptable choices for type"),
            ({}, {"alpha": 1.5}, "found the alpha 1.5, expected a number from 0 to 1"),
            ({}, {"extra_outputs": ["logits"]}, r"extra_outputs may be \['attention'\], found \['logits'\]"),
            ({}, {"structure_size": 7}, "size of the encoded posts"),
            ({}, {"title_encoder": {"type": "boe", "embedding_dim": 7}}, "input of title_encoder"),
            ({}, {"text_encoder": {"type": "boe", "embedding_dim": 7}}, "input of text_encoder"),
            ({"null_memory": False}, {}, "memory must be a memory_hop with null_memory: true"),
            ({"causal": False}, {}, "memory must be a memory_hop with null_memory: true"),
            ({"num_hops": 0}, {}, "memory must be a memory_hop with null_memory: true"),
            ({"current_input": "sentence"}, {}, "found a memory that reads sentences, expected current_input: memory"),
            (
                {},
                {"memory": {"type": "pass_through", "input_dim": 190}},
                "pass_through not in acceptable choices for memory.type",
            ),
        ],
    )
    def test_what_is_wrong_with_a_configuration(self, of_memory, parameters, message):
        with pytest.raises(ConfigurationError, match=message):
            self.build(of_memory, **parameters)
