import pytest
import spacy
from allennlp.common.checks import ConfigurationError

from nerzoo.archives.pipelines import is_packed, load_pipeline, save_pipeline
from nerzoo.archives.trust import without_packed

TEXT = "Mara lived in Lindow."


@pytest.fixture
def folder(spacy_pipeline, tmp_path):
    """A packed pipeline, whose ruler and entity recogniser are left out."""
    nlp = spacy.load(spacy_pipeline)
    nlp.add_pipe("entity_ruler")
    nlp.add_pipe("attribute_ruler", name="rules")
    save_pipeline(nlp, tmp_path / "parser", {"pipeline": "somewhere"})
    return tmp_path / "parser"


def test_the_tagger_and_the_parser_are_kept(folder, spacy_pipeline):
    nlp = load_pipeline(folder)
    assert nlp.pipe_names == ["tagger", "parser"]
    assert nlp(TEXT).to_json() == spacy.load(spacy_pipeline)(TEXT).to_json()
    assert not list(folder.parent.glob(".*"))


@pytest.mark.parametrize(
    "old, new, message",
    [
        (
            'factory = "tagger"',
            'factory = "ner"',
            "found the component 'tagger' of spaCy, expected one of tok2vec, tag",
        ),
        ("before_creation = null", 'before_creation = {"@callbacks":"x.y"}', "found the function @callbacks = 'x.y'"),
        (
            "before_creation = null",
            'name = "callbacks"\nbefore_creation = {"@${nlp.name}":"x.y"}',
            "found the function @callbacks = 'x.y'",
        ),
        ("spacy.Tokenizer.v1", "spacy.zh.ChineseTokenizer", "found the function @tokenizers = 'spacy.zh.Chinese"),
        ("spacy.Tagger.v2", "spacy.PyTorch.v1", "found the function @architectures = 'spacy.PyTorch.v1'"),
        ('factory = "tagger"', 'factory = "tagger"\nsource = "/x"', "found the component 'tagger' from another pipe"),
        ("[nlp]", "[training]\nseed = 1\n\n[nlp]", "found the section 'training' in config.cfg, expected nlp and comp"),
        ("[nlp]", "[nlp", "found a spaCy pipeline that cannot be read"),
    ],
)
def test_code_that_a_configuration_names_is_not_run(folder, old, new, message):
    text = (folder / "config.cfg").read_text()
    assert old in text
    (folder / "config.cfg").write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigurationError) as caught:
        load_pipeline(folder)
    assert f"{folder}: {message}" in str(caught.value)


@pytest.mark.parametrize("name", ["tagger/model", "vocab/strings.json"])
def test_damaged_files(folder, name):
    path = folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ConfigurationError, match="found a spaCy pipeline that cannot be read"):
        load_pipeline(folder)


def test_a_pipeline_is_packed_for_the_options_it_was_made_with(folder):
    assert is_packed(folder.parent, {"pipeline": "somewhere"})
    assert not is_packed(folder.parent, {"treebank": "somewhere"})
    assert not is_packed(folder, {"pipeline": "somewhere"})
    (folder / "source.json").write_text("{")
    assert not is_packed(folder.parent, {"pipeline": "somewhere"})


def test_a_packed_pipeline_is_none_that_loading_reads_elsewhere(folder):
    packed, other = {"parser": {"pipeline": "somewhere"}, "x": 1}, {"parser": {"pipeline": "elsewhere"}}
    config = {"dataset_reader": packed, "validation_dataset_reader": other, "model": {}}
    expected = {**config, "dataset_reader": {"x": 1}}
    assert without_packed(config, folder.parent) == expected
    assert packed["parser"] == {"pipeline": "somewhere"}
