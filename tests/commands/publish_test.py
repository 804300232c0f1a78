from helpers.commands import allennlp


def test_the_command_says_which_paths_it_publishes(deptree_ner, tmp_path, capsys):
    allennlp("publish", deptree_ner / "model.tar.gz", tmp_path / "hub", "--license", "mit", "--language", "en", "de")
    assert "absolute paths" not in capsys.readouterr().err
    card = (tmp_path / "hub/README.md").read_text()
    assert "license: mit" in card and "- en\n- de\n" in card
    config = (tmp_path / "hub/config.json").read_text()
    (tmp_path / "hub/config.json").write_text(config.replace("fixtures/", "/home/me/fixtures/"))
    (tmp_path / "hub/checksums.sha256").unlink()
    allennlp("publish", tmp_path / "hub", tmp_path / "again")
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(
        f"{tmp_path}/again/config.json has absolute paths, as in training: /home/me/fixtures/people_"
    )
    assert "| training | not to be found when this card was written |" in (tmp_path / "again/README.md").read_text()
