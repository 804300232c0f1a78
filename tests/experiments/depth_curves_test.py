import json
from xml.etree import ElementTree

import pytest
from allennlp.common.checks import ConfigurationError

from experiments.depth_curves import main, read
from nerzoo.training.metrics.thread_scores import POST_DEPTHS, TASKS


def write(folder, metrics):
    folder.mkdir()
    path = folder / "cross_validation.json"
    path.write_text(json.dumps({"metrics": {name: {"mean": value} for name, value in metrics.items()}}))
    return path


def test_table_and_curves(tmp_path, capsys):
    names = [f"{task}_f1-{depth}" for task in TASKS for depth in POST_DEPTHS]
    paths = [
        write(tmp_path / system, {name: (start + place) / 100 for place, name in enumerate(names)})
        for start, system in ((10, "memnet"), (30, "me_crf"))
    ]
    main([*map(str, paths), "--output-file", str(tmp_path / "curves.svg")])
    header, _, first, second = capsys.readouterr().out.splitlines()
    assert header.startswith("|  | link [1,2] | link [3,4]")
    assert first.startswith("| `memnet` | 10.0 | 11.0 | 12.0 |")
    assert second.endswith("| 41.0 |")
    assert ElementTree.parse(tmp_path / "curves.svg").getroot().tag.endswith("svg")


def test_scores_that_are_not_by_depth(tmp_path):
    path = write(tmp_path / "memnet", {"link_f1": 0.5})
    with pytest.raises(
        ConfigurationError, match=r"found no link_f1-\[1,2\], expected model.metrics_by_depth to be true"
    ):
        read([path])
