from helpers.commands import allennlp

from nerzoo.runtime.onnx_tagger import OnnxTagger


def test_the_command_exports_a_tagger(archives, tmp_path, capsys):
    allennlp("export-onnx", archives("ner"), tmp_path / "onnx")
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"{tmp_path}/onnx: ") and said.endswith(" MB")
    assert OnnxTagger.load(tmp_path / "onnx")(["Mara"])["words"] == ["Mara"]
