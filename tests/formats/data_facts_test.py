import hashlib
import subprocess

from helpers.paths import FIXTURES

from nerzoo.formats.columns import ColumnsCorpus
from nerzoo.formats.corpus import DataFacts, data_facts
from nerzoo.formats.slot_filling import SlotFillingCorpus

FILE = FIXTURES / "corpora/nested.tsv"


def test_a_corpus():
    facts = data_facts(FILE, ColumnsCorpus(tag_column=[1, 2]))
    expected = subprocess.run(["sha256sum", FILE], capture_output=True, text=True, check=True).stdout.split()[0]
    assert facts == DataFacts("nested.tsv", expected, 1, 2, 6, {"ORG": 1, "LOC": 2})


def test_a_folder():
    folder = FIXTURES / "slot_filling/dev"
    facts = data_facts(folder, SlotFillingCorpus())
    content = b"".join(name.encode() + (folder / name).read_bytes() for name in ("seq.in", "seq.out"))
    assert facts.sha256 == hashlib.sha256(content).hexdigest()
    assert facts[2:5] == (1, 30, 223) and facts.labels.total() == 52


def test_a_file_of_another_kind():
    assert data_facts(FILE, None)[2:] == (None, None, None, {})
