import re

import pytest
import torch
from allennlp.common import Params, util
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.dataset_readers.dataset_reader import WorkerInfo

from nerzoo.data.dataset_readers.tagging import TaggedSentencesReader
from nerzoo.data.fields import vocabulary_coding_scheme
from nerzoo.text.annotation import Entity, Sentence

# The Bank of Varda left.
NESTED = """\
1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\tEntity=(1-organization
2\tBank\t_\tPROPN\tNNP\t_\t5\tnsubj\t_\t_
3\tof\t_\tADP\tIN\t_\t4\tcase\t_\t_
4\tVarda\t_\tPROPN\tNNP\t_\t2\tnmod\t_\tEntity=(2-place)1)
5\tleft\t_\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
6\t.\t_\tPUNCT\t.\t_\t5\tpunct\t_\t_

"""


def make_reader(corpus="conllu", **params):
    return DatasetReader.from_params(Params({"type": "tagged_sentences", "corpus": corpus, **params}))


def test_fields_for_training(tmp_path):
    path = tmp_path / "train.jsonl"
    path.write_text(
        '{"words": ["Varda", "slept"], "entities": [{"start": 0, "end": 1, "label": "LOC"}], "loss_weight": 0.5, '
        '"marginals": [{"U-LOC": 0.75, "O": 0.125, "U-MISC": 0.125}, {"O": 1}]}\n'
        '{"words": ["Why"], "entities": [], "loss_weight": 1, "marginals": []}\n'
    )
    instances = list(make_reader("jsonl").read(path))
    vocab = Vocabulary.from_instances(instances)
    loader = SimpleDataLoader(instances, 2, vocab=vocab)
    (batch,) = loader
    assert batch["loss_weight"].tolist() == [0.5, 1.0]
    # (B, T, L): of tags that the vocabulary lacks, nothing is learnt.
    expected = torch.zeros(2, 2, vocab.get_vocab_size("labels"))
    for place, tag, probability in [(0, "U-LOC", 0.75), (0, "O", 0.125), (1, "O", 1.0)]:
        expected[0, place, vocab.get_token_index(tag, "labels")] = probability
    assert torch.equal(batch["marginals"], expected)


@pytest.fixture
def nested(tmp_path):
    path = tmp_path / "nested.conllu"
    path.write_text(NESTED)
    return path


def test_fields_of_a_parsed_sentence(nested):
    indexers = {
        "tokens": {"type": "single_id"},
        "pos": {"type": "single_id", "namespace": "pos", "feature_name": "tag_"},
        "dep": {"type": "single_id", "namespace": "dep", "feature_name": "dep_"},
    }
    reader = make_reader(token_indexers=indexers)
    (instance,) = reader.read(nested)
    assert set(instance.fields) == {"tokens", "heads", "levels", "tags", "metadata"}
    assert [token.text for token in instance["tokens"]] == ["The", "Bank", "of", "Varda", "left", "."]
    assert [token.tag_ for token in instance["tokens"]] == ["DT", "NNP", "IN", "NNP", "VBD", "."]
    assert [token.dep_ for token in instance["tokens"]] == ["det", "nsubj", "case", "nmod", "root", "punct"]
    assert instance["metadata"].metadata == {
        "document_id": None,
        "words": ["The", "Bank", "of", "Varda", "left", "."],
        "text": "The Bank of Varda left.",
        "offsets": [0, 4, 9, 12, 18, 22],
        "pos": ["DT", "NNP", "IN", "NNP", "VBD", "."],
        "heads": [2, 5, 4, 2, 0, 5],
        "dep_labels": ["det", "nsubj", "case", "nmod", "root", "punct"],
        "gold_tags": instance["tags"].labels,
    }

    reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances([instance])
    instance.index_fields(vocab)
    tensors = instance.as_tensor_dict()
    assert tensors["heads"].tolist() == [2, 5, 4, 2, 0, 5]
    for name, labels in (("pos", ["DT", "NNP"]), ("dep", ["det", "nsubj"])):
        assert tensors["tokens"][name]["tokens"].tolist()[:2] == [vocab.get_token_index(x, name) for x in labels]


@pytest.mark.parametrize(
    "params, tags",
    [
        ({}, "B-organization I-organization I-organization L-organization O O"),
        ({"coding_scheme": "BIO"}, "B-organization I-organization I-organization I-organization O O"),
        ({"layer": "innermost"}, "O O O U-place O O"),
        ({"coding_scheme": "BIO", "layer": "innermost"}, "O O O B-place O O"),
    ],
)
def test_tags_stand_for_one_layer_of_entities_in_the_coding_scheme(nested, params, tags):
    (instance,) = make_reader(**params).read(nested)
    assert instance["tags"].labels == tags.split()


def test_heads_are_padded_with_what_is_no_head(nested):
    reader = make_reader()
    (instance,) = reader.read(nested)
    heads = instance["heads"]
    assert heads.as_tensor({"dimension_0": 8}).tolist() == [2, 5, 4, 2, 0, 5, -1, -1]


def test_a_corpus_without_trees_has_no_heads(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("Mara B-PER\nlived O\n")
    (instance,) = make_reader("columns").read(path)
    assert set(instance.fields) == {"tokens", "tags", "metadata"}
    assert [token.tag_ for token in instance["tokens"]] == [None, None]


def test_labels_of_words_are_kept_as_they_are(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("I c\nis i\n")
    (instance,) = make_reader({"type": "columns", "coding_scheme": None}).read(path)
    assert instance["tags"].labels == ["c", "i"]


@pytest.mark.parametrize(
    "params, expected",
    [({}, "BIOUL"), ({"coding_scheme": "BIO"}, "BIO"), ({"tags_from": "pos"}, None)],
)
def test_the_vocabulary_has_the_coding_scheme(nested, params, expected):
    assert vocabulary_coding_scheme(Vocabulary.from_instances(make_reader(**params).read(nested))) == expected


def test_labels_of_words_have_no_coding_scheme(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("I c\nis i\n")
    reader = make_reader({"type": "columns", "coding_scheme": None})
    assert vocabulary_coding_scheme(Vocabulary.from_instances(reader.read(path))) is None


def test_untagged_sentences_and_their_text():
    sentence = Sentence(["Mara", "left"], entities=[Entity(0, 1, "person")])
    instance = make_reader().text_to_instance(sentence, " Mara\tleft", tagged=False)
    assert "tags" not in instance.fields
    assert instance["metadata"].metadata == {
        "document_id": None,
        "words": ["Mara", "left"],
        "text": " Mara\tleft",
        "offsets": [1, 6],
    }


def texts(path, shard=None):
    reader = make_reader()
    reader._set_worker_info(shard)
    return [instance["metadata"]["text"] for instance in reader.read(path)]


def test_the_shards_of_workers_hold_every_sentence_once(few_sentences):
    shards = [texts(few_sentences, WorkerInfo(num_workers=2, id=worker)) for worker in range(2)]
    assert [len(shard) for shard in shards] == [3, 3]
    assert sorted(shards[0] + shards[1]) == sorted(texts(few_sentences))


def test_the_shards_of_processes_hold_every_sentence_once(few_sentences, monkeypatch):
    everything = texts(few_sentences)
    monkeypatch.setattr(util, "is_distributed", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 2)
    shards = []
    for rank in range(2):
        monkeypatch.setattr(torch.distributed, "get_rank", lambda rank=rank: rank)
        shards.append(texts(few_sentences))
    assert [len(shard) for shard in shards] == [3, 3]
    assert sorted(shards[0] + shards[1]) == sorted(everything)


@pytest.mark.parametrize("predicted_pos", [True, False])
def test_predicted_trees_take_the_place_of_those_in_the_corpus(predicted_pos, spacy_pipeline, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(
        '{"words": ["Mara", "lived", "in", "Lindow", "."], "pos": ["X", "X", "X", "X", "X"], "heads": [0, 1, 2, 3, 4], '
        '"entities": [{"start": 3, "end": 4, "label": "place"}]}'
    )
    (gold,) = make_reader("jsonl").read(path)
    options = {"parser": {"pipeline": str(spacy_pipeline)}, "predicted_trees": True}
    (predicted,) = make_reader("jsonl", **options, predicted_pos=predicted_pos).read(path)
    assert gold["heads"].tensor.tolist() == [0, 1, 2, 3, 4]
    assert predicted["heads"].tensor.tolist() == [2, 0, 4, 2, 2]
    pos = ["NNP", "VBD", "IN", "NNP", "."] if predicted_pos else ["X"] * 5
    assert [token.tag_ for token in predicted["tokens"]] == pos
    assert predicted["tags"].labels == gold["tags"].labels == ["O", "O", "O", "U-place", "O"]


def test_predicted_parts_of_speech_without_trees_are_an_error():
    with pytest.raises(ConfigurationError, match="predicted_pos without predicted_trees"):
        make_reader("jsonl", predicted_pos=True)


def test_windows_line_ends_make_no_difference(nested, tmp_path):
    windows = tmp_path / "windows.conllu"
    windows.write_bytes(nested.read_bytes().replace(b"\n", b"\r\n"))
    (ours,), (theirs,) = (make_reader().read(path) for path in (nested, windows))
    assert ours["metadata"].metadata == theirs["metadata"].metadata
    assert str(ours["tokens"]) == str(theirs["tokens"])


def test_an_empty_file_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "empty.conllu"
    path.write_text("")
    with pytest.raises(ConfigurationError, match="empty.conllu: found no sentence"):
        list(make_reader().read(path))


def test_a_tag_unseen_in_training_is_a_warning_that_names_the_sentence(nested, few_sentences, caplog):
    loader = SimpleDataLoader.from_dataset_reader(make_reader(), few_sentences, batch_size=6)
    vocab = Vocabulary.from_instances(loader.instances)
    reader = make_reader()
    (instance,) = reader.read(nested)
    reader.apply_token_indexers(instance)
    instance.index_fields(vocab)
    assert re.match(r"\S*nested.conllu:1: found the tag '[BL]-organization'", caplog.messages[0])


@pytest.mark.parametrize("params", [{"coding_scheme": "IOB3"}, {"layer": "middle"}])
def test_an_unknown_scheme_or_layer_is_an_error(params):
    with pytest.raises(ConfigurationError, match="'IOB3'.*BIOUL|'middle'.*outermost"):
        make_reader(**params)


def test_is_registered():
    assert DatasetReader.by_name("tagged_sentences") is TaggedSentencesReader


def test_tags_can_be_parts_of_speech(nested):
    (instance,) = make_reader(tags_from="pos").read(nested)
    assert instance["tags"].labels == ["DT", "NNP", "IN", "NNP", "VBD", "."]
    assert instance["metadata"].metadata["gold_tags"] == instance["tags"].labels


def test_tags_from_something_else_or_from_nothing_are_errors():
    with pytest.raises(ConfigurationError, match="found the tags_from 'lemma', expected 'entities' or 'pos'"):
        make_reader(tags_from="lemma")
    reader = make_reader(tags_from="pos")
    with pytest.raises(ConfigurationError, match="s1.*found no pos, which tags_from names"):
        reader.text_to_instance(Sentence(["Mara"], id="s1"))
    assert "tags" not in reader.text_to_instance(Sentence(["Mara"]), tagged=False).fields


@pytest.mark.parametrize("predicted_trees", [False, True])
def test_labels_of_a_parser_that_the_vocabulary_lacks(spacy_pipeline, predicted_trees):
    indexer = {"type": "single_id", "namespace": "dep", "feature_name": "dep_"}
    reader = DatasetReader.from_params(
        Params(
            {
                "type": "tagged_sentences",
                "corpus": "conllu",
                "token_indexers": {"dep": indexer},
                "parser": {"pipeline": str(spacy_pipeline)},
                "predicted_trees": predicted_trees,
            }
        )
    )
    instance = reader.text_to_instance(reader.parser.parse("Mara lived in Lindow."), tagged=False)
    reader.apply_token_indexers(instance)
    vocab = Vocabulary({"dep": {"root": 1, "nsubj": 1, "case": 1}})
    if predicted_trees:
        # As in training, whose data may lack a label that the parser finds later.
        instance.index_fields(vocab)
    else:
        with pytest.raises(ConfigurationError, match="labels of the parser '.*' 'obl', 'punct', which the model does"):
            instance.index_fields(vocab)
