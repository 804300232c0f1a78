import pytest
from helpers.once import once
from helpers.paths import FIXTURES
from helpers.tiny_pretrained import VECTORS, write_elmo, write_transformer, write_vectors


@pytest.fixture(scope="session")
def pretrained():
    """
    A folder with a tiny ELMo, a tiny transformer and the vectors of a few words in each size that is read: the same
    folder for all processes, which share the configurations that name it.
    """
    return once("pretrained", write_pretrained)


def write_pretrained(folder):
    folder.mkdir()
    write_elmo(folder)
    write_transformer(folder, hidden_size=384)
    for size in (32, 50, 100, 128, 200, 256, 300):
        write_vectors(folder / f"vectors_{size}.txt", VECTORS, size)
    (folder / "gazetteer.txt").write_text("PER Mara\nGPE Port Essel\n")
    return folder


@pytest.fixture(autouse=True, scope="module")
def environment(pretrained):
    """Values of all environment variables that configurations read."""
    variables = {
        "DATA": "/elsewhere",
        "SEED": "17",
        "EPOCHS": "",
        "WORD_VECTOR_SIZE": "100",
        "SEMEVAL2010": "semeval2010",
        "PARSER": "parser",
        "CONLL2003": "conll2003",
        "CONLL2012": "conll2012",
        "ONTONOTES_BN": "ontonotes_bn",
        "CONLL2000": "conll2000",
        "WSJ": "wsj",
        "FCE": "fce",
        "MEDIA": "media",
        "CHEMDNER": "chemdner",
        "JNLPBA": "jnlpba",
        "PTB": "text",
        "TRAIN_TEXT": "text",
        "VALIDATION_TEXT": "text",
        "THREADS": "threads",
        "KBP": "kbp",
        "FIRST_PASS": "first_pass",
        "GAZETTEER": str(pretrained / "gazetteer.txt"),
        "ELMO_OPTIONS": str(pretrained / "options.json"),
        "ELMO_WEIGHTS": str(pretrained / "weights.hdf5"),
        "TRANSFORMER": str(pretrained),
        "TRANSFORMER_SIZE": "384",
        "WORD_VECTORS": str(pretrained / "vectors_100.txt"),
        "CASED_WORD_VECTORS": str(pretrained / "vectors_256.txt"),
        "UNCASED_WORD_VECTORS": str(pretrained / "vectors_256.txt"),
        "CHARACTER_VECTORS": str(pretrained / "vectors_128.txt"),
        "WORD2VEC": str(pretrained / "vectors_300.txt"),
        "BIOMEDICAL_WORD2VEC": str(pretrained / "vectors_200.txt"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def few_lines(tmp_path_factory):
    """The path of a file with the first 15 lines of the fixture text."""
    path = tmp_path_factory.mktemp("text") / "few.txt"
    path.write_text("\n".join((FIXTURES / "text/train.txt").read_text().split("\n")[:15]) + "\n")
    return path


@pytest.fixture(scope="session")
def few_errors(tmp_path_factory):
    """The path of a file with the first six sentences of the fixture with errors."""
    path = tmp_path_factory.mktemp("error_detection") / "few.tsv"
    sentences = (FIXTURES / "error_detection/dev.tsv").read_text().split("\n\n")
    path.write_text("\n\n".join(sentences[:6]) + "\n\n")
    return path
