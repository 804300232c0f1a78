import json
import pickle

import pytest
import transformers
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Token, TokenIndexer, Vocabulary
from helpers.tiny_pretrained import write_transformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

import nerzoo  # noqa: F401
from nerzoo.archives.transformers import load_packed, packed_name
from nerzoo.data.token_indexers import TransformerIndexer

WORDS = ["Mara", "\u200b", "'s", "x" * 600]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bert").mkdir()
    write_transformer(tmp_path / "bert")
    return tmp_path / "bert"


@pytest.fixture
def run(tmp_path):
    """The folder of a training."""
    (tmp_path / "run").mkdir()
    return tmp_path / "run"


def index(indexer):
    return indexer.tokens_to_indices([Token(word) for word in WORDS], Vocabulary())


def test_splits_words_as_the_tokenizer_does(folder):
    found = index(TransformerIndexer(str(folder)))
    tokenizer = transformers.BertTokenizerFast.from_pretrained(folder)
    expected = [tokenizer(word, add_special_tokens=False, verbose=False)["input_ids"] for word in WORDS]
    assert found["pieces"] == sum(expected, [])
    assert found["counts"] == list(map(len, expected)) and found["counts"][1] == 0
    assert found["mask"] == [True] * 4


def test_a_tokenizer_that_cuts_off_and_pads_does_neither(folder):
    tokenizer = transformers.BertTokenizerFast.from_pretrained(folder)
    expected = index(TransformerIndexer(str(folder)))
    tokenizer.backend_tokenizer.enable_truncation(3)
    tokenizer.backend_tokenizer.enable_padding(length=999)
    tokenizer.save_pretrained(folder)
    assert index(TransformerIndexer(str(folder))) == expected


def test_roberta_reads_each_word_with_the_space_before_it(tmp_path):
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a", "b", "Ġ", "Ġa"]
    (tmp_path / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\nĠ a\n", encoding="utf-8")
    files = (str(tmp_path / name) for name in ("vocab.json", "merges.txt"))
    transformers.RobertaTokenizerFast(*files).save_pretrained(tmp_path)
    transformers.RobertaConfig().save_pretrained(tmp_path)
    indexer = TransformerIndexer(str(tmp_path))
    found = indexer.tokens_to_indices([Token("ab"), Token("b")], Vocabulary())
    assert found["pieces"] == [8, 6, 7, 6] and found["counts"] == [2, 2]


@pytest.mark.parametrize("in_sequence", [False, True])
def test_a_tokenizer_of_bytes_reads_each_word_with_the_space_before_it(tmp_path, in_sequence):
    """That of ModernBERT has no class of its own, and reads texts without a space before them."""
    pieces = ["[PAD]", "a", "b", "Ġ", "Ġa"]
    tokenizer = Tokenizer(models.BPE(vocab={piece: i for i, piece in enumerate(pieces)}, merges=[("Ġ", "a")]))
    part = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(), part]) if in_sequence else part
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    transformers.ModernBertConfig().save_pretrained(tmp_path)
    indexer = TransformerIndexer(str(tmp_path))
    found = indexer.tokens_to_indices([Token("ab"), Token("b")], Vocabulary())
    assert found["pieces"] == [4, 2, 3, 2] and found["counts"] == [2, 2]


@pytest.mark.parametrize("settings", [None, {"model_max_length": 512}])
def test_a_tokenizer_keeps_its_case_without_further_files(folder, settings):
    (folder / "tokenizer_config.json").unlink()
    if settings:
        (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.save(str(folder / "tokenizer.json"))
    indexer, unknown = TransformerIndexer(str(folder)), tokenizer.token_to_id("[UNK]")
    found = indexer.tokens_to_indices([Token("Mara"), Token("m")], Vocabulary())
    assert found["pieces"] == [unknown, tokenizer.token_to_id("m")]


def test_a_folder_with_a_vocabulary_alone(folder):
    expected = index(TransformerIndexer(str(folder)))
    pieces = transformers.BertTokenizerFast.from_pretrained(folder).get_vocab()
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in sorted(pieces, key=pieces.get)))
    assert index(TransformerIndexer(str(folder))) == expected


def test_makes_tensors_without_pieces_and_without_words(folder):
    indexer = TransformerIndexer(str(folder))
    tokens = indexer.tokens_to_indices([Token("\u200b")], Vocabulary())
    for indexed, mask in ((tokens, [True]), (indexer.get_empty_token_list(), [])):
        tensors = indexer.as_padded_tensor_dict(indexed, indexer.get_padding_lengths(indexed))
        assert tensors["pieces"].tolist() == [0] and tensors["mask"].tolist() == mask


def test_a_training_packs_what_its_archive_needs(folder, run):
    indexer = TokenIndexer.from_params(
        Params({"type": "transformer", "model_name": str(folder)}), serialization_dir=run
    )
    assert packed_name(run) == str(folder)
    assert {path.name for path in (run / "transformer").iterdir()} == {"config.json", "source.json", "tokenizer.json"}
    assert load_packed(run).special_pieces() == ([2], [3])
    name, expected = str(folder), index(indexer)
    assert index(pickle.loads(pickle.dumps(indexer))) == expected
    folder.rename(folder.with_name("elsewhere"))
    assert index(TransformerIndexer(name, serialization_dir=run)) == expected


def test_a_training_has_one_transformer(folder, run, tmp_path):
    TransformerIndexer(str(folder), serialization_dir=run)
    (tmp_path / "other").mkdir()
    write_transformer(tmp_path / "other")
    with pytest.raises(ConfigurationError, match="found a transformer beside another one, .*bert, expected one"):
        TransformerIndexer(str(tmp_path / "other"), serialization_dir=run)
    # An override, when an archive is loaded.
    (run / "vocabulary").mkdir()
    TransformerIndexer(str(tmp_path / "other"), serialization_dir=run)
    assert packed_name(run) == str(folder)


@pytest.mark.parametrize("source", ["{", "[]", "{}", "3"])
def test_a_damaged_source(folder, run, source):
    TransformerIndexer(str(folder), serialization_dir=run)
    (run / "transformer/source.json").write_text(source)
    assert packed_name(run) is None
