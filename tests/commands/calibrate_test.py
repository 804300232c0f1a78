from helpers.commands import allennlp
from helpers.paths import FIXTURES


def test_a_calibrated_archive(archives, tmp_path, capsys):
    dev, test = (FIXTURES / "people_and_places" / name for name in ("dev.txt", "test.txt"))
    output = tmp_path / "calibrated.tar.gz"
    promises = ["--coverage", 0.3, "--n-best", 40, "--precision", 0.2]
    allennlp("calibrate", archives("ner"), dev, "--output-file", output, "--test", test, *promises)
    lines = capsys.readouterr().out.splitlines()
    start = next(n for n, line in enumerate(lines) if line.split()[:2] == ["temperature", "NLL"])
    assert [line.split(",")[0] for line in lines[start + 1 : start + 5]] == ["development"] * 2 + ["test"] * 2
    assert lines[start + 1].split()[2] == "1.0000"
    promised = [line.split() for line in lines[start + 5 : start + 11]]
    assert promised[:3] == [["promise", "option", "value"], ["coverage", "wished", "0.3"], ["coverage", "n_best", "40"]]
    assert [row[:2] for row in promised[3:]] == [
        ["coverage", "n_best_mass"],
        ["precision", "wished"],
        ["precision", "min_probability"],
    ]
    assert [line.split(":")[0] for line in lines[start + 11 :]] == [
        "development",
        "development",
        "test",
        "test",
    ]
    allennlp("evaluate", output, test, "--output-file", tmp_path / "metrics.json")
