import random
import re

import numpy
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from helpers.paths import FIXTURES

from nerzoo.data.parser_training import train_parser
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus

PEOPLE = FIXTURES / "people_and_places"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """The first two Docs of the training data, in a file."""
    path = tmp_path_factory.mktemp("treebank") / "treebank.conllu"
    path.write_text("\n\n".join((PEOPLE / "train.conllu").read_text().split("\n\n")[:10]) + "\n\n")
    return path


@pytest.fixture(scope="module")
def states_and_parser(treebank):
    torch.manual_seed(3)
    random.seed(3)
    numpy.random.seed(3)
    before = random.getstate(), numpy.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
    nlp = train_parser(ConlluCorpus(), treebank)
    after = random.getstate(), numpy.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
    return before, after, nlp


def test_a_pipeline_learns_a_treebank(states_and_parser, treebank):
    *_, nlp = states_and_parser
    assert nlp.pipe_names == ["tok2vec", "tagger", "parser"] and nlp.disabled == ["senter"]
    (document, *_) = ConlluCorpus().read(treebank)
    assert all(nlp.get_pipe("parser").labels)
    labels = {label for sentence in document.sentences for label in sentence.dep_labels}
    # spaCy adds `dep`, and joins the labels of two arcs where trees cross.
    assert labels - {"root"} == {name.partition("||")[0] for name in nlp.get_pipe("parser").labels} - {"ROOT", "dep"}
    assert set(nlp.get_pipe("tagger").labels) == {tag for sentence in document.sentences for tag in sentence.pos}


def test_random_numbers_go_on_as_before(states_and_parser):
    before, after, _ = states_and_parser
    assert before == after


def test_vectors_and_validation(treebank, tmp_path, capsys):
    (tmp_path / "vectors.txt").write_text("the 1 2 3\nof 0 1 2\n")
    nlp = train_parser(ConlluCorpus(), treebank, treebank, tmp_path / "vectors.txt", show_progress=True)
    assert nlp.vocab["the"].vector.tolist() == [1, 2, 3]
    assert "DEP_LAS" in capsys.readouterr().out


def test_a_small_treebank_is_evaluated_while_it_is_trained(treebank, capsys):
    train_parser(ConlluCorpus(), treebank, treebank, show_progress=True)
    rows = re.findall(r"^ *\d+ +\d+ ", capsys.readouterr().out, re.MULTILINE)
    assert len(rows) >= 20


def test_files_that_do_not_fit(treebank, tmp_path):
    with pytest.raises(ConfigurationError, match="train.txt.*: found no (pos|heads), expected a treebank, with parts"):
        train_parser(ColumnsCorpus(), PEOPLE / "train.txt")
    (tmp_path / "vectors.txt").write_text("the 1 2 three\n")
    with pytest.raises(ConfigurationError, match="vectors.txt: found no word vectors .*, expected a text file with"):
        train_parser(ConlluCorpus(), treebank, vectors=tmp_path / "vectors.txt")
    with pytest.raises(ConfigurationError, match="language: found 'xyz', expected a code of spaCy's"):
        train_parser(ConlluCorpus(), treebank, language="xyz")
