import gzip
import json
import os
import re
import resource
import shutil
import signal

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from helpers.archives import assert_same, inputs
from helpers.commands import allennlp
from helpers.paths import FIXTURES
from helpers.processes import run_in_new_processes
from spacy.tokens import DocBin
from torch.multiprocessing.spawn import ProcessExitedException

from nerzoo.formats.brat import BratCorpus
from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.formats.parquet import ParquetCorpus
from nerzoo.formats.prodigy import ProdigyCorpus
from nerzoo.formats.spacy import SpacyCorpus
from nerzoo.inference import tag
from nerzoo.inference.tag import Journal
from nerzoo.inference.tagger import Tagger

TREEBANK = FIXTURES / "people_and_places"
VERBS = ["lived", "worked", "slept", "ate", "sang", "swam", "danced", "and", "read"]
TEXTS = [f"Mara {verb} in Calder." for verb in VERBS]


@pytest.fixture(scope="module")
def ner(request):
    return request.getfixturevalue("archives")("ner")


@pytest.fixture(scope="module")
def expected(ner):
    """What the texts are tagged as."""
    return list(Tagger.load(ner)(TEXTS))


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("nerzoo.inference.tag._CHUNK_ITEMS", 2)


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n\n".join(TEXTS) + "\n")
    return path


@pytest.fixture
def output(tmp_path):
    return tmp_path / "output"


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def words(path, corpus):
    return [sentence.words for document in corpus.read(path) for sentence in document.sentences]


def test_texts(ner, texts, output, expected, capfd):
    allennlp("tag", ner, texts, "--output-file", output)
    assert_same(read(output), expected)
    assert not (output.with_name("output.journal")).exists()
    # The error stream is no terminal: the bar is written once.
    assert re.findall(r"tagging, [\d,]+ words/s: +(\d+)%", capfd.readouterr().err) == ["100"]


def test_several_files_plain_and_gzipped(ner, texts, output, expected, tmp_path):
    more = tmp_path / "more.txt.gz"
    more.write_bytes(gzip.compress(b"Mara left.\n"))
    allennlp("tag", ner, texts, more, "--output-file", output)
    assert_same(read(output)[:-1], expected)
    assert read(output)[-1]["sentences"][0]["words"] == ["Mara", "left", "."]


def test_standard_input(ner, texts, output, expected):
    before = os.dup(0)
    try:
        with texts.open("rb") as file:
            os.dup2(file.fileno(), 0)
        allennlp("tag", ner, "-", "--input-format", "text", "--output-file", output)
    finally:
        os.dup2(before, 0)
        os.close(before)
    assert_same(read(output), expected)


@pytest.mark.parametrize("output_format", [None, "jsonl", "columns", "-"])
def test_the_screen(ner, texts, expected, output_format, capsys):
    options = {None: [], "-": ["--output-file", "-"]}.get(output_format, ["--output-format", output_format])
    allennlp("tag", ner, texts, *options)
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    if output_format is None:
        assert len(lines) == len(expected) and lines[0].startswith("[Mara person] lived in ")
    elif output_format in ("jsonl", "-"):
        assert_same(list(map(json.loads, lines)), expected)
    else:
        assert lines[:2] == ["Mara B-person", "lived O"]
        assert re.search("^left out, as the format cannot express it: .* probabilities", shown.err, re.MULTILINE)


def test_a_text(ner, expected, capsys):
    allennlp("tag", ner, "--text", TEXTS[0], "--output-format", "jsonl")
    assert_same(json.loads(capsys.readouterr().out), expected[0])


@pytest.mark.parametrize(
    "job, args, message",
    [
        ("ner", ["--workers", 2], "found --workers, --ray or --resume, expected --output-file with it"),
        ("ner", ["--output-format", "brat"], "found the format brat, which is no text, and no --output-file"),
        ("fofe_lm", [], "found a model that does not tag words, and the format text, expected --output-format jsonl"),
    ],
)
def test_what_is_not_for_the_screen(archives, texts, job, args, message):
    with pytest.raises(ConfigurationError, match=message):
        allennlp("tag", archives(job), texts, *args)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_give_the_same(ner, texts, output, expected, workers):
    allennlp("tag", ner, texts, "--output-file", output, "--workers", workers)
    assert_same(read(output), expected)


def test_objects_and_their_errors(ner, output, tmp_path):
    path = tmp_path / "input.jsonl"
    path.write_text('{"words": ["Mara"]}\n\n{"words": \n{"sentence": 5}\n{"sentence": "Mara"}\n')
    with pytest.raises(ConfigurationError, match=f"{path}:3: found Expecting value in column"):
        allennlp("tag", ner, path, "--output-file", output)
    assert not output.exists()
    allennlp("tag", ner, path, "--output-file", output, "--errors", "yield", "--force")
    first, bad, worse, last = read(output)
    assert first == last and first["words"] == ["Mara"]
    assert bad["index"] == 1 and bad["error"].startswith(f"{path}:3: found")
    assert worse["index"] == 2 and worse["error"].startswith(f"{path}:4: found the input")


@pytest.mark.parametrize("job", ["deptree_ner", "memory_ner"])
def test_a_corpus(archives, job, output):
    path = TREEBANK / "test.conllu"
    allennlp("tag", archives(job), path, "--corpus", "conllu", "--output-file", output)
    documents = inputs("memory_ner")[-len(list(ConlluCorpus().read(path))) :]
    items = documents if job == "memory_ner" else [part for document in documents for part in document["sentences"]]
    tagger = Tagger.load(archives(job))
    predictions = list(tagger(items))
    lines = "".join(map(tagger.predictor.dump_line, predictions)).splitlines()
    found = read(output)
    assert [line["words"] for line in found] == [json.loads(line)["words"] for line in lines]
    assert [line["tags"] for line in found] == [json.loads(line)["tags"] for line in lines]
    assert not any("gold_tags" in line for line in found)


def test_threads(archives, output):
    path = FIXTURES / "threads/test.jsonl"
    allennlp("tag", archives("thread_structure"), path, "--corpus", "jsonl", "--output-file", output)
    assert [thread["id"] for thread in read(output)] == [json.loads(line)["id"] for line in path.open()]


def test_lines_of_a_language_model(archives, output):
    path = FIXTURES / "text/test.txt"
    allennlp("tag", archives("fofe_lm"), path, "--output-file", output)
    assert all(line["perplexity"] > 1 for line in read(output))
    with pytest.raises(ConfigurationError, match="a model that does not tag words"):
        allennlp("tag", archives("fofe_lm"), path, "--output-file", output, "--force", "--output-format", "columns")


@pytest.mark.parametrize("column, rows", [("text", TEXTS), ("tokens", [["Mara", "left"], ["Calder"]])])
def test_parquet(ner, output, tmp_path, column, rows):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "input.parquet"
    parquet.write_table(pyarrow.table({column: rows}), path)
    allennlp("tag", ner, path, "--column", column, "--output-file", output)
    items = [row if isinstance(row, str) else {"words": row} for row in rows]
    assert_same(read(output), list(Tagger.load(ner)(items)))
    with pytest.raises(ConfigurationError, match=f"{path}: found the columns {column}, expected a column other"):
        allennlp("tag", ner, path, "--column", "other", "--output-file", tmp_path / "other")


@pytest.mark.parametrize(
    "output_format, corpus",
    [
        ("columns", ColumnsCorpus),
        ("conllu", ConlluCorpus),
        ("parquet", ParquetCorpus),
        ("prodigy", ProdigyCorpus),
        ("spacy", SpacyCorpus),
    ],
)
def test_formats_are_read_back(ner, output, output_format, corpus):
    path = TREEBANK / "dev.conllu"
    format = ["--output-format", output_format]
    allennlp("tag", ner, path, "--corpus", "conllu", "--output-file", output, *format)
    allennlp("tag", ner, path, "--corpus", "conllu", "--output-file", f"{output}.jsonl")
    found = [sentence for document in corpus().read(output) for sentence in document.sentences]
    predictions = read(output.with_name("output.jsonl"))
    assert [sentence.words for sentence in found] == [prediction["words"] for prediction in predictions]
    entities = [[(e["start"], e["end"], e["label"]) for e in prediction["entities"]] for prediction in predictions]
    assert [list(map(tuple, sentence.entities)) for sentence in found] == entities


@pytest.mark.parametrize("doc_id", ["# newdoc id = doc\n", ""])
@pytest.mark.parametrize("output_format, corpus", [("conllu", ConlluCorpus), ("brat", BratCorpus)])
def test_documents_of_different_files_are_different(ner, output, tmp_path, doc_id, output_format, corpus):
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    tail = "\t_" * 8
    for path, name in zip(paths, ("Mara", "Jordan"), strict=True):
        path.write_text(f"{doc_id}1\t{name}{tail}\n\n1\tRain{tail}\n\n")
    command = ["tag", ner, *paths, "--corpus", "conllu", "--output-format", output_format, "--output-file", output]
    if doc_id and output_format == "brat":
        with pytest.raises(ConfigurationError, match="found two documents with the id 'doc', expected another id"):
            allennlp(*command)
        return
    killed(command, 1)
    allennlp(*command, "--resume")
    found = [[sentence.words for sentence in document.sentences] for document in corpus().read(output)]
    if doc_id or output_format == "brat":
        assert found == [[["Mara"], ["Rain"]], [["Jordan"], ["Rain"]]]
    else:
        assert sum(found, []) == [["Mara"], ["Rain"], ["Jordan"], ["Rain"]]


def test_brat_has_the_texts(ner, texts, output):
    allennlp("tag", ner, texts, "--output-format", "brat", "--output-file", output)
    assert [(output / f"{number}.txt").read_text() for number in range(1, 10)] == TEXTS
    assert len(words(output, BratCorpus())) >= 9


RUNNING = {"a.txt": "Mara  lived\nin Calder. She\tleft.\n\nRain fell.\n", "b/c.txt": " Mara!"}


@pytest.mark.parametrize("job", ["ner", "memory_ner"])
def test_brat_keeps_running_texts(archives, output, tmp_path, job):
    for name, text in RUNNING.items():
        path = tmp_path / "input" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    corpus = '{"type": "brat", "annotated": false}'
    command = ["tag", archives(job), tmp_path / "input", "--corpus", corpus]
    allennlp(*command, "--output-file", output, "--output-format", "brat")
    assert {str(path.relative_to(output)): path.read_text() for path in output.rglob("*.txt")} == RUNNING
    # Entities are the same words of the text.
    allennlp(*command, "--output-file", f"{output}.jsonl")
    found = [sentence for document in BratCorpus().read(output) for sentence in document.sentences]
    for sentence, prediction in zip(found, read(output.with_name("output.jsonl")), strict=True):
        expected = [(entity["start"], entity["end"], entity["label"]) for entity in prediction["entities"]]
        assert list(map(tuple, sentence.entities)) == expected and sentence.words == prediction["words"]


def test_texts_without_an_id_end_with_their_last_word(ner, output, tmp_path):
    path = tmp_path / "input.jsonl"
    path.write_text('{"text": " Mara  left. Rain fell.\\n"}\n{"text": "Jordan left."}\n')
    corpus = '{"type": "doccano", "annotated": false}'
    allennlp("tag", ner, path, "--corpus", corpus, "--output-format", "doccano", "--output-file", output)
    assert [line["text"] for line in read(output)] == ["Mara  left.", "Rain fell.", "Jordan left."]


def test_each_text_is_a_doc_of_spacy(ner, texts, output):
    path = output.with_suffix(".spacy")
    allennlp("tag", ner, texts, "--output-file", path)
    docs = DocBin().from_disk(path).get_docs(spacy.blank("xx").vocab)
    assert [doc.text for doc in docs] == TEXTS


def test_conllu_of_texts_says_where_spaces_are_not(ner, texts, output):
    allennlp("tag", ner, texts, "--output-format", "conllu", "--output-file", output)
    lines = output.read_text().splitlines()
    assert lines[0] == f"# text = {TEXTS[0]}"
    assert [line.split("\t")[1] for line in lines if "SpaceAfter=No" in line] == ["Calder"] * len(TEXTS)


def test_label_studio_has_predictions(ner, texts, output):
    allennlp("tag", ner, texts, "--output-format", "label_studio", "--output-file", output)
    tasks = json.loads(output.read_text())
    assert [task["data"]["text"] for task in tasks] == TEXTS
    assert all("predictions" in task and "annotations" not in task for task in tasks)


def killed(command, after):
    """Runs a command in a process that is killed in the middle of a write of the journal, after this many others."""
    with pytest.raises(ProcessExitedException) as error:
        run_in_new_processes(_kill_in_write, (command, after))
    assert error.value.exit_code == -signal.SIGKILL


def _kill_in_write(rank, command, after):
    write, count = os.write, 0

    def write_half(file, content):
        nonlocal count
        count += os.readlink(f"/proc/self/fd/{file}").endswith(".journal")
        if count <= after:
            return write(file, content)
        write(file, content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    tag.os.write, tag._CHUNK_ITEMS = write_half, 2
    allennlp(*command)


@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_killed_run_goes_on(ner, texts, output, expected, after, workers):
    command = ["tag", ner, texts, "--output-file", output, "--workers", workers]
    killed(command, after)
    assert not output.exists()
    journal = output.with_name("output.journal")
    assert journal.read_bytes().count(b"\n") >= 2 * after - 1
    with pytest.raises(ConfigurationError, match="output.journal: found an interrupted run, expected --resume"):
        allennlp(*command)
    allennlp(*command, "--resume")
    assert_same(read(output), expected)
    assert not journal.exists()


def test_a_run_that_goes_on_does_not_predict_again(ner, texts, output, monkeypatch):
    command = ["tag", ner, texts, "--output-file", output]
    killed(command, 3)
    predicted = []

    def spy(tagger, chunk):
        predicted.extend(item.inputs for item in chunk)
        return [{"words": [], "tags": [], "entities": []} for _ in chunk]

    monkeypatch.setattr("nerzoo.inference.workers.predict_chunk", spy)
    allennlp(*command, "--resume")
    # A part of the chunk in which the run was killed had whole lines.
    assert predicted == TEXTS[-len(predicted) :] and 3 <= len(predicted) <= 5


def test_a_run_of_something_else_does_not_go_on(ner, texts, output, monkeypatch, expected):
    command = ["tag", ner, texts, "--output-file", output]
    killed(command, 2)
    with pytest.raises(ConfigurationError, match="found a run with the output_format 'jsonl', expected the o"):
        allennlp(*command, "--resume", "--output-format", "columns")
    texts.write_text(texts.read_text().replace("Mara", "Nora"))
    with pytest.raises(ConfigurationError, match="found a run with the inputs"):
        allennlp(*command, "--resume")
    allennlp(*command, "--force")
    assert read(output)[0]["text"] == TEXTS[0].replace("Mara", "Nora")


def test_an_input_folder_that_changes(ner, output, tmp_path):
    folder = tmp_path / "input"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.txt").write_text(text)
    corpus = '{"type": "brat", "annotated": false}'
    command = ["tag", ner, folder, "--corpus", corpus, "--output-file", folder / "output.jsonl"]
    killed(command, 2)
    (folder / "8.txt").write_text(TEXTS[8].replace("Mara", "Nora"))
    with pytest.raises(ConfigurationError, match="found a run with the inputs"):
        allennlp(*command, "--resume")
    (folder / "8.txt").write_text(TEXTS[8])
    # The journal in the folder is no change.
    allennlp(*command, "--resume")
    assert len(read(folder / "output.jsonl")) == len(TEXTS)


@pytest.mark.parametrize("kind", ["file", "folder", "name"])
def test_a_run_of_another_model_does_not_go_on(ner, texts, output, tmp_path, monkeypatch, kind):
    folder = tmp_path / "zoo/xy"
    shutil.unpack_archive(ner, folder)
    (folder / "checksums.sha256").unlink()
    (folder / "card.json").write_text("{}")
    monkeypatch.setattr("nerzoo.zoo.finding.FOLDERS", [folder.parent])
    model = {"file": tmp_path / "model.tar.gz", "folder": folder, "name": "xy"}[kind]
    changed, place = folder / "config.json", 1
    if kind == "file":
        # The time in gzip's header.
        changed, place = shutil.copy(ner, model), 4
    # The folder of a model may have the output, too.
    command = ["tag", model, texts, "--output-file", folder / "output", "--engine", "torch"]

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("nerzoo.inference.workers.predict_chunk", interrupted)
        with pytest.raises((SystemExit, KeyboardInterrupt)):
            allennlp(*command)
    content = changed.read_bytes()
    other = bytearray(content)
    other[place] = ord(" ")
    changed.write_bytes(other)
    with pytest.raises(ConfigurationError, match="found a run with the archive"):
        allennlp(*command, "--resume")
    changed.write_bytes(content)
    allennlp(*command, "--resume")
    assert len(read(folder / "output")) == len(TEXTS)


def test_an_output_that_exists(ner, texts, output, expected, capsys):
    output.write_text("mine\n")
    command = ["tag", ner, texts, "--output-file", output]
    with pytest.raises(ConfigurationError, match=f"{output}: found an output that exists, expected"):
        allennlp(*command)
    allennlp(*command, "--resume")
    assert output.read_text() == "mine\n"
    assert f"{output}: whole already, so that nothing is to be done" in capsys.readouterr().err
    allennlp(*command, "--force")
    assert_same(read(output), expected)


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_output_that_is_an_input(ner, texts, force):
    content = texts.read_text()
    with pytest.raises(ConfigurationError, match="texts.txt: found an input, expected the path of another file"):
        allennlp("tag", ner, texts, "--output-file", texts, *force)
    assert texts.read_text() == content


@pytest.mark.parametrize("output_format", ["jsonl", "brat"])
@pytest.mark.parametrize("place", ["", "part", "linked"])
def test_an_output_above_an_input(ner, texts, tmp_path, output_format, place):
    corpus = tmp_path / "corpus"
    (corpus / "part").mkdir(parents=True)
    path = corpus / place / "a.txt"
    if place == "linked":
        path.parent.symlink_to(tmp_path)
        path = corpus / "linked/texts.txt"
    else:
        path.write_text("Mara left.\n")
        path.with_suffix(".ann").touch()
    before = sorted(corpus.rglob("*"))
    command = ["tag", ner, path, "--output-format", output_format, "--output-file", corpus, "--force"]
    with pytest.raises(ConfigurationError, match=f"corpus: found the folder of the input {path}, expected the path of"):
        allennlp(*command)
    assert sorted(corpus.rglob("*")) == before and sorted(os.listdir(tmp_path)) == ["corpus", "texts.txt"]


def test_a_folder_in_place_of_a_file(ner, texts, output):
    output.mkdir()
    for option in ([], ["--force"]):
        with pytest.raises(ConfigurationError, match="output: found a"):
            allennlp("tag", ner, texts, "--output-file", output, *option)
    assert output.is_dir() and not output.with_name("output.journal").exists()


@pytest.mark.parametrize(
    "name, message",
    [
        ("notes.md", "notes.md in it"),
        ("part/a.txt", "part/a.txt in it"),
        (".git/HEAD", ".git/HEAD in it"),
        ("", "a file"),
    ],
)
def test_only_a_folder_of_the_format_is_replaced(ner, texts, output, name, message):
    command = ["tag", ner, texts, "--output-format", "brat", "--output-file", output, "--force"]
    path = output / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine\n")
    with pytest.raises(ConfigurationError, match=f"output: found {message}, expected"):
        allennlp(*command)
    assert path.read_text() == "mine\n" and not output.with_name("output.journal").exists()
    path.unlink()
    allennlp(*command)
    (output / "1.txt").write_text("before\n")
    allennlp(*command)
    assert (output / "1.txt").read_text() == TEXTS[0] and len(os.listdir(output)) == 2 * len(TEXTS)


def test_a_file_that_comes_into_the_folder_during_the_run(ner, texts, output, monkeypatch):
    command = ["tag", ner, texts, "--output-format", "brat", "--output-file", output]
    allennlp(*command)
    with monkeypatch.context() as patch:
        start = Journal.start
        patch.setattr(Journal, "start", lambda journal: ((output / "notes.md").touch(), start(journal))[1])
        with pytest.raises(ConfigurationError, match="output: found notes.md in it"):
            allennlp(*command, "--force")
    (output / "notes.md").rename(output.with_name("notes.md"))
    allennlp(*command, "--resume")
    assert len(os.listdir(output)) == 2 * len(TEXTS) and not output.with_name("output.journal").exists()


def test_an_output_that_is_no_file(ner, texts):
    with pytest.raises(ConfigurationError, match="/dev/null: found what is neither a file nor a folder"):
        allennlp("tag", ner, texts, "--output-file", "/dev/null", "--force")


def test_a_journal_that_is_none(ner, texts, output):
    journal = output.with_name("output.journal")
    journal.write_text("mine\n")
    for option in ([], ["--force"], ["--resume"]):
        with pytest.raises(ConfigurationError, match="output.journal: found another file"):
            allennlp("tag", ner, texts, "--output-file", output, *option)
    assert journal.read_text() == "mine\n"


def fails_for_room(command, owner, name, room, message):
    """
    Runs a command that, once it calls a function, may write files of no more than some bytes: what is beyond that is
    not written, as on a disk that is full.
    """
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    unlimited = getattr(owner, name)

    def limited(*args):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        return unlimited(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, limited)
        try:
            with pytest.raises(ConfigurationError, match=message):
                allennlp(*command)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("room", [10, 900, 2000])
@pytest.mark.parametrize("workers", [0, 2])
def test_no_room_for_predictions(ner, texts, output, expected, room, workers):
    command = ["tag", ner, texts, "--output-file", output, "--workers", workers]
    message = "output.journal: File too large; its lines are whole, .* --resume"
    fails_for_room(command, Journal, "start", room, message)
    assert not output.exists()
    journal = output.with_name("output.journal").read_text()
    assert len(journal) <= room and journal.endswith("}\n" if journal else "")
    assert_same([json.loads(line) for line in journal.splitlines()[1:]], expected[: max(0, journal.count("\n") - 1)])
    allennlp(*command, "--resume")
    assert_same(read(output), expected)


@pytest.mark.parametrize("output_format", ["jsonl", "conllu", "label_studio", "brat", "parquet"])
def test_no_room_for_the_output(ner, texts, output, output_format):
    command = ["tag", ner, texts, "--output-format", output_format, "--output-file", output]
    message = "output: found .*File too large, expected room for the output; the same command with --resume goes on"
    fails_for_room(command, tag, "_finish", 10, message)
    assert not output.exists()
    allennlp(*command, "--resume")
    assert output.exists() and not output.with_name("output.journal").exists()


def test_an_item_that_is_too_long(ner, output, tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(json.dumps({"sentence": text}) for text in (TEXTS[0], "word " * 25_000, TEXTS[1])))
    with pytest.raises(ConfigurationError, match=f"{path}:2: found an item of 25000 tokens, .*MAX_TOKENS, 20000"):
        allennlp("tag", ner, path, "--output-file", output)
    allennlp("tag", ner, path, "--output-file", output, "--errors", "yield", "--force")
    first, error, last = read(output)
    assert len(first["words"]) == len(last["words"]) == 5 and "MAX_TOKENS, 20000" in error["error"]


@pytest.mark.parametrize("unit", ["line", "paragraph", "file"])
def test_text_units(archives, output, tmp_path, unit):
    """A memory reads a paragraph or a file as a document."""
    path = tmp_path / "texts.txt"
    path.write_text("\nMara left. Jordan\nlaughed.\n \nMara sang.\n")
    allennlp("tag", archives("memory_ner"), path, "--text-unit", unit, "--output-file", output)
    expected = {
        "line": ["Mara left. Jordan", "laughed.", "Mara sang."],
        "paragraph": ["Mara left. Jordan\nlaughed.", "Mara sang."],
        "file": ["\nMara left. Jordan\nlaughed.\n \nMara sang."],
    }[unit]
    assert_same(read(output), list(Tagger.load(archives("memory_ner"))(expected)))


def test_texts_in_another_format_keep_their_characters(ner, output, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("  Mara left.  “Jordan\tlaughed!”\n\nMara sang.\n")
    allennlp("tag", ner, path, "--output-format", "brat", "--output-file", output, "--text-unit", "paragraph")
    documents = list(BratCorpus().read(output))
    assert [document.text for document in documents] == ["Mara left.  “Jordan\tlaughed!”", "Mara sang."]
    allennlp("tag", ner, path, "--output-format", "conllu", "--output-file", output.with_name("trees"))
    first, second = list(ConlluCorpus().read(output.with_name("trees")))[0].sentences[:2]
    assert first.space_after == [True, False, True]
    assert second.words == ["“", "Jordan", "laughed", "!", "”"] and second.space_after[:3] == [False, True, False]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["input.xyz"], "whose endings do not name a format"),
        (["--workers", -1], "found --workers -1, expected 0 or more"),
        (["--output-format", "xml"], "found the format 'xml', expected one of"),
        (["--corpus", "xml"], "found the format 'xml', expected one of"),
    ],
)
def test_arguments(ner, texts, output, arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        allennlp("tag", ner, texts, *arguments, "--output-file", output)


def test_a_bad_file_is_an_error_before_anything_is_predicted(ner, texts, output, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"Mara\nL\xfc\n")
    with pytest.raises(ConfigurationError, match=f"{bad}:2: found the byte 0xfc"):
        allennlp("tag", ner, texts, bad, "--output-file", output)
    assert output.with_name("output.journal").read_bytes().count(b"\n") == 1


def test_a_worker_that_is_killed(ner, texts, output, expected, monkeypatch):
    command = ["tag", ner, texts, "--output-file", output, "--workers", 1]
    with monkeypatch.context() as patch:
        patch.setattr("nerzoo.inference.workers.predict_chunk", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        with pytest.raises(ConfigurationError, match="found a worker process that was killed"):
            allennlp(*command)
    allennlp(*command, "--resume")
    assert_same(read(output), expected)


@pytest.mark.parametrize(
    "args, message",
    [
        (("--batch-tokens", 0), "batch_tokens must be positive, found 0"),
        (("--output-file", ""), "found the name of no file, expected the path of a new output"),
        (("--output-file", "PIPE"), "found what is neither a file nor a folder"),
    ],
)
def test_what_writes_nothing(ner, texts, tmp_path, args, message):
    os.mkfifo(tmp_path / "pipe")
    args = ["--output-file", tmp_path / "new.jsonl", *(tmp_path / "pipe" if arg == "PIPE" else arg for arg in args)]
    with pytest.raises(ConfigurationError, match=message):
        allennlp("tag", ner, texts, *args)
    assert not (tmp_path / "new.jsonl").exists()
