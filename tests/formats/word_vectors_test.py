import errno
import gzip
import os
import signal
import time

import numpy
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from filelock import FileLock
from helpers.processes import run_in_new_processes
from torch.multiprocessing.spawn import ProcessExitedException

from nerzoo.data.vocabulary import WholeVocabulary
from nerzoo.formats import word_vectors
from nerzoo.modules.token_embedders import Embedding, FixedEmbedding

TEXT = "the 0.5 -1.25 3.0\nkiln 1.0 2.0 -0.001\nunseen -0.5 0.25 0.1234567891\n"
CONTENTS = {
    "plain": TEXT,
    "a header": "3 3\n" + TEXT,
    "a number as the first word": "12 1 2 3\n" + TEXT,
    "a number without numbers": "12\n" + TEXT,
    "Windows line ends": TEXT.replace("\n", "\r\n"),
    "no line end at the end": TEXT[:-1],
    "spaces at the ends": TEXT.replace("\n", " \n"),
    "a repeated word": TEXT + "kiln 7 8 9\nnowhere 1 1 1\n",
    "a repeated word with an error": TEXT + "kiln x 8 9\n",
    "other spaces in a word": TEXT + "a\u00a0b\u2028c 1 2 3\n",
    "several words in a line": TEXT + "Ada the second 1 2 3\n",
    "an empty word": TEXT + " 1 2 3\n",
    "a blank line": TEXT + "\n",
    "a word without numbers": TEXT + "Ada\n",
    "too few numbers": TEXT + "Ada 1 2\n",
    "no numbers": TEXT + "Ada 1 nan 3\n",
    "numbers of Python": TEXT + "Ada 1 1_0 3\n",
    "numbers that are too large": TEXT + "Ada 1 1e39 3\n",
    "tabs": TEXT.replace(" ", "\t"),
    "vectors of another size": "the 1 2\nkiln 3 4\n",
    "none of the words": "zzz 1 2 3\n",
    "a header alone": "3 3\n",
    "nothing": "",
    "a byte order mark": "\ufeff" + TEXT,
    "old line ends": TEXT.replace("\n", "\r"),
    "another encoding": TEXT.encode("utf-16"),
    "gzipped": gzip.compress(TEXT.encode()),
    "cut off": gzip.compress(TEXT.encode())[:-12],
}
WITHOUT_TABLE = {
    "a number without numbers",
    "a header alone",
    "nothing",
    "a byte order mark",
    "old line ends",
    "another encoding",
    "cut off",
}
DAMAGES = {
    "cut off": lambda table: os.truncate(table / "vectors.float32", 20),
    "another number": lambda table: (table / "vectors.float32").write_bytes(bytes(36)),
    "another word": lambda table: (table / "words.txt").write_text("the \noven \nunseen \n"),
    "no words": lambda table: (table / "words.txt").unlink(),
    "no checksums": lambda table: (table / "checksums.sha256").write_bytes(b""),
    "no text": lambda table: (table / "checksums.sha256").write_bytes(b"\xff"),
}


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The folder of the tables, which is not there yet."""
    monkeypatch.setattr(word_vectors, "TABLES", tmp_path / "tables")
    return tmp_path / "tables"


@pytest.fixture
def file(tmp_path):
    return write(tmp_path / "vectors.txt", TEXT)


def write(path, content, seconds=60):
    """Writes a file that was last changed some seconds ago."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def written(tables):
    return list(tables.glob("vectors*/*/words.txt"))


def result(build):
    try:
        return build()
    # AllenNLP draws vectors with the deviation of all numbers, of which some are NaN.
    except (ConfigurationError, RuntimeError) as error:
        return str(error)


def results(path):
    """The vocabulary and all numbers that are read from a file, or the errors, as strings: NaN is not itself."""
    vocab = Vocabulary(counter={"tokens": {"the": 5, "kiln": 2, "Ada": 1, "0000": 3}})
    counts = {"tokens": {"the": 5, "Ada": 1}}
    options = {"pretrained_files": {"tokens": str(path)}, "min_count": {"tokens": 2}}
    torch.manual_seed(1)
    found = [
        result(lambda: WholeVocabulary(counts, **options).get_token_to_index_vocabulary()),
        *(
            result(
                lambda most=most: known(WholeVocabulary(counts, min_pretrained_embeddings={"tokens": most}, **options))
            )
            for most in (-1, 2)
        ),
        result(lambda: numbers(FixedEmbedding(3, vocab, pretrained_file=path))),
        result(lambda: numbers(Embedding(3, vocab=vocab, pretrained_file=str(path)))),
    ]
    return list(map(repr, found))


def known(vocab):
    return list(vocab.get_token_to_index_vocabulary().items())


def numbers(module):
    return {name: tensor.tolist() for name, tensor in module.state_dict().items()}


@pytest.mark.parametrize("name", CONTENTS)
def test_all_is_the_same_with_and_without_a_table(name, tables, tmp_path, monkeypatch):
    content = CONTENTS[name]
    is_gzipped = isinstance(content, bytes) and content.startswith(b"\x1f")
    path = write(tmp_path / f"vectors.{'gz' if is_gzipped else 'txt'}", content)
    with monkeypatch.context() as patch:
        patch.setattr(word_vectors, "_table", lambda *args: None)
        expected = results(path)
    assert results(path) == results(path) == expected
    assert bool(written(tables)) == (name not in WITHOUT_TABLE)


def test_the_second_reading_parses_nothing(file, tables, monkeypatch):
    expected = results(file)
    monkeypatch.setattr(word_vectors, "read_lines", None)
    assert results(file) == expected


def test_numbers_have_all_their_bits(file, tables):
    words, vectors = word_vectors.read_table(file)
    assert words == ["the", "kiln", "unseen"]
    assert vectors[2].tolist() == numpy.float32([-0.5, 0.25, 0.1234567891]).tolist()


def test_extended_vocabularies_read_vectors_from_the_file(file, tables):
    vocab = Vocabulary(counter={"tokens": {"the": 1}})
    module = Embedding(3, vocab=vocab, pretrained_file=str(file))
    vocab.add_token_to_namespace("kiln")
    module.extend_vocab(vocab)
    assert written(tables) and module.weight[-1].tolist() == numpy.float32([1.0, 2.0, -0.001]).tolist()


@pytest.mark.parametrize("options", [{"num_embeddings": 9}, {"weight": torch.zeros(3, 3)}, {"vocab": None}])
def test_options_that_do_not_fit_are_refused(options, file, tables):
    with pytest.raises(ConfigurationError):
        Embedding(3, pretrained_file=str(file), **{"vocab": Vocabulary(counter={"tokens": {"the": 1}}), **options})


def test_a_changed_file_is_read_anew_and_its_old_table_is_removed(file, tables):
    results(file)
    status = file.stat()
    file.write_text(TEXT.replace("0.5", "0.7"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert word_vectors.read_table(file).vectors[0, 0] == numpy.float32(0.7)
    assert len(written(tables)) == 1


def test_a_file_that_was_just_changed_has_no_table(tables, tmp_path):
    path = write(tmp_path / "vectors.txt", TEXT, seconds=0)
    assert word_vectors.read_table(path) is None and word_vectors.word_list(path) == str(path)


def read_together(rank, file, tables, start):
    word_vectors.TABLES = tables
    while time.time() < start:
        pass
    assert results(file) == results(file)


def test_two_processes_read_a_file_at_once(file, tables):
    run_in_new_processes(read_together, (file, tables, time.time() + 1), nprocs=2)
    assert word_vectors.read_table(file).words and len(written(tables)) == 1


def test_the_text_is_read_while_another_process_writes_the_table(file, tables, caplog):
    results(file)
    (table,) = (path.parent for path in written(tables))
    (table / "words.txt").unlink()
    with FileLock(table.parent / "lock"):
        assert word_vectors.read_table(file) is None
    assert "vectors.txt: no table of its vectors is kept" in caplog.text
    assert word_vectors.read_table(file)


def be_killed(rank, file, tables):
    def kill(*args):
        os.kill(os.getpid(), signal.SIGKILL)

    word_vectors.TABLES, word_vectors.write_checksums = tables, kill
    word_vectors.read_table(file)


def test_a_process_is_killed_before_the_table_is_written(file, tables):
    with pytest.raises(ProcessExitedException):
        run_in_new_processes(be_killed, (file, tables))
    assert list(tables.glob("*/.*.unfinished"))
    assert word_vectors.read_table(file).words
    assert not list(tables.glob("*/.*.unfinished"))


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_table_is_written_anew(name, file, tables):
    expected = results(file)
    (table,) = (path.parent for path in written(tables))
    DAMAGES[name](table)
    assert results(file) == expected
    assert word_vectors.read_table(file).vectors.shape == (3, 3)


def test_a_folder_that_cannot_be_written(file, tables, caplog):
    tables.write_text("a file in its place")
    assert word_vectors.read_table(file) is None
    assert "vectors.txt: no table of its vectors is kept, and its text is read ([Errno 20]" in caplog.text
    assert numbers(FixedEmbedding(3, Vocabulary(counter={"tokens": {"the": 1}}), pretrained_file=file))["fixed"][2]


def test_reads_an_existing_table_without_the_lock(file, tables, monkeypatch):
    results(file)
    monkeypatch.setattr(word_vectors, "FileLock", None)
    assert word_vectors.read_table(file)


def test_full_disk_leaves_no_partial_table(file, tables, monkeypatch, caplog):
    def fill(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(word_vectors, "write_checksums", fill)
    assert word_vectors.read_table(file) is None
    assert "No space left on device" in caplog.text and [path.name for path in tables.glob("*/*")] == ["lock"]
