import gzip
import runpy
import sys

import numpy
import pytest
import torch
from allennlp.data import Vocabulary
from helpers.paths import FIXTURES

from experiments.sentence_lines import main
from nerzoo.data.dataset_readers.text_lines import TextLinesReader
from nerzoo.modules.token_embedders.embedding import FixedEmbedding

TEXT = "The end. It was late.\n\nMr. Lee left (on Friday).\nThe end.\n"


def test_a_sentence_a_line(tmp_path):
    with gzip.open(tmp_path / "text.gz", "wt") as file:
        file.write(TEXT)
    path = tmp_path / "lines.txt"
    main([str(tmp_path / "text.gz"), "--output-file", str(path)])
    assert path.read_text() == "The end .\nIt was late .\nMr. Lee left ( on Friday ) .\nThe end .\n"
    assert len(list(TextLinesReader().read(path))) == 4


def test_in_lower_case_and_each_sentence_once(tmp_path):
    (tmp_path / "text").write_text(TEXT + "The End.\n")
    main([str(tmp_path / "text"), "--output-file", str(tmp_path / "lines.txt"), "--lowercase", "--distinct"])
    assert (tmp_path / "lines.txt").read_text() == "the end .\nit was late .\nmr. lee left ( on friday ) .\n"


def test_a_tagger_reads_skip_gram_vectors_of_the_lines(tmp_path, monkeypatch):
    pytest.importorskip("gensim")
    main([str(FIXTURES / "text/train.txt"), "--output-file", str(tmp_path / "lines.txt"), "--lowercase"])
    options = "-train lines.txt -output vectors.txt -size 8 -cbow 0 -negative 5 -min_count 5 -threads 1"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["word2vec_standalone", *options.split()])
    # The script makes NumPy raise errors, for the rest of the process.
    with numpy.errstate():
        runpy.run_module("gensim.scripts.word2vec_standalone", run_name="__main__")
    vocab = Vocabulary({"tokens": {"the": 1}})
    embedding = FixedEmbedding(8, vocab=vocab, pretrained_file="vectors.txt")
    assert embedding(torch.tensor([vocab.get_token_index("the")])).any()
