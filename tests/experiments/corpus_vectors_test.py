import gzip
import sys

from experiments.corpus_vectors import main

VECTORS = "the 0.1\nparis 0.2\nrome 0.3\n0000 0.4\n1984 0.5\nParis 0.6\n, 0.7\n"


def test_keeps_the_vectors_of_words_in_any_text(tmp_path, monkeypatch, capsys):
    (tmp_path / "vectors.txt").write_text(VECTORS)
    (tmp_path / "columns.txt").write_text("In O\n1999 O\n\nPARIS B-LOC\n")
    with gzip.open(tmp_path / "text.gz", "wt") as text:
        text.write("The end\t,\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["corpus_vectors", "vectors.txt", "out.txt", "columns.txt", "text.gz"])
    main()
    assert (tmp_path / "out.txt").read_text() == "the 0.1\nparis 0.2\n0000 0.4\n, 0.7\n"
    assert capsys.readouterr().err == "4 words\n"
