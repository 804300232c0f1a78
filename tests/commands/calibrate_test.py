from helpers.commands import allennlp
from helpers.paths import FIXTURES


def test_a_calibrated_archive(archives, tmp_path, capsys):
    dev, test = (FIXTURES / "people_and_places" / name for name in ("dev.txt", "test.txt"))
    output = tmp_path / "calibrated.tar.gz"
    promises = ["--coverage", 0.3, "--n-best", 40, "--precision", 0.2]
    allennlp("calibrate", archives("ner"), dev, "--output-file", output, "--test", test, *promises)
    lines = capsys.readouterr().out.splitlines()
    start = next(n for n, line in enumerate(lines) if line.split()[:2] == ["temperature", "NLL"])
    # The file is too small for another temperature.
    rows = [line.split() for line in lines[start + 1 : start + 6]]
    names = ["development, before", "development, after", "development, refused", "test, before", "test, after"]
    assert [" ".join(row[:2]) for row in rows] == names
    temperatures = [row[2] for row in rows]
    assert temperatures.pop(2) != "1.0000" and temperatures == ["1.0000"] * 4
    promised = [line.split() for line in lines[start + 6 : start + 12]]
    assert promised[:3] == [["promise", "option", "value"], ["coverage", "wished", "0.3"], ["coverage", "n_best", "40"]]
    assert [row[:2] for row in promised[3:]] == [
        ["coverage", "n_best_mass"],
        ["precision", "wished"],
        ["precision", "min_probability"],
    ]
    measured = [line.split(": ") for line in lines[start + 12 :]]
    assert [part for part, _ in measured] == ["development"] * 3 + ["test"] * 2
    assert measured[0][1].startswith("measured on 16 of 33 sentences, held out at random by the seed 13370")
    assert "sets contain the gold tags" in measured[1][1] and "entities kept, precision" in measured[2][1]
    allennlp("evaluate", output, test, "--output-file", tmp_path / "metrics.json")
