"""
The spaCy pipeline inside an archive, which parses text for the model. It is loaded as untrusted content: the
configuration of a pipeline can name any registered function of spaCy, so only those of taggers and parsers are allowed.
"""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple

from allennlp.common.checks import ConfigurationError
from spacy.language import Language
from spacy.util import load_model_from_config
from thinc.api import Config

from nerzoo.errors import format_error, in_short
from nerzoo.files import folder_written_whole

PIPELINE_NAME = "parser"
"""The folder of the pipeline in an archive, and in the folder of a training."""
COMPONENTS = ("tok2vec", "tagger", "parser", "senter")
"""The factories of the components that a packed pipeline may have."""
_SOURCE_NAME = "source.json"
_CONFIG_NAME = "config.cfg"
_SECTIONS = ("nlp", "components")
_FUNCTIONS = {
    "@architectures": {
        "spacy.HashEmbedCNN.v2",
        "spacy.MaxoutWindowEncoder.v2",
        "spacy.MultiHashEmbed.v2",
        "spacy.Tagger.v2",
        "spacy.Tok2Vec.v2",
        "spacy.Tok2VecListener.v1",
        "spacy.TransitionBasedParser.v2",
    },
    "@scorers": {"spacy.parser_scorer.v1", "spacy.senter_scorer.v1", "spacy.tagger_scorer.v1"},
    "@tokenizers": {"spacy.Tokenizer.v1"},
    "@vectors": {"spacy.Vectors.v1"},
}


def save_pipeline(nlp: Language, folder: Path, source: Optional[Mapping[str, Any]] = None) -> None:
    """
    Writes the components of a pipeline that tag and parse into a folder, whole or not at all. `source` are the options
    of the `parser` that `is_packed` compares. Raises `ConfigurationError` where `load_pipeline` would not load it.
    """
    others = [name for name in nlp.component_names if nlp.get_pipe_meta(name).factory not in COMPONENTS]
    config = nlp.config.interpolate()
    kept: Dict[str, Any] = {section: dict(config[section]) for section in _SECTIONS}
    kept["components"] = {name: part for name, part in kept["components"].items() if name not in others}
    for key in ("pipeline", "disabled"):
        kept["nlp"][key] = [name for name in kept["nlp"][key] if name not in others]
    _check_config(folder, kept)
    with folder_written_whole(folder) as unfinished:
        nlp.to_disk(unfinished, exclude=others)
        Config(kept).to_disk(unfinished / _CONFIG_NAME)
        if source is not None:
            (unfinished / _SOURCE_NAME).write_text(json.dumps(dict(source)), encoding="utf-8")


def load_pipeline(folder: Path) -> Language:
    """
    Loads a pipeline that `save_pipeline` has written. Raises `ConfigurationError` where it is missing or damaged, or
    names components or functions that no tagger or parser needs.
    """
    try:
        # Variables are replaced first: one may be in the name of a function.
        config = Config().from_disk(folder / _CONFIG_NAME)
        _check_config(folder, config)
        return load_model_from_config(config).from_disk(folder)
    except ConfigurationError:
        raise
    # spaCy, confection and msgpack raise many types for damaged files.
    except Exception as error:
        raise format_error(
            folder, f"a spaCy pipeline that cannot be read ({in_short(error)})", "a whole one"
        ) from error


def is_packed(folder: Path, source: Mapping[str, Any]) -> bool:
    """Returns whether the folder of an archive or of a training has the pipeline of a `parser` with these options."""
    path = folder / PIPELINE_NAME / _SOURCE_NAME
    try:
        return path.is_file() and json.loads(path.read_text(encoding="utf-8")) == dict(source)
    except ValueError:
        return False


def _check_config(place: object, config: Mapping[str, Any]) -> None:
    """Raises `ConfigurationError` where the configuration of a pipeline has more than taggers and parsers need."""
    others = sorted(set(config) - set(_SECTIONS))
    if others:
        raise format_error(place, f"the section {others[0]!r} in {_CONFIG_NAME}", " and ".join(_SECTIONS))
    for name, component in config["components"].items():
        factory = component.get("factory") if isinstance(component, Mapping) else None
        if factory not in COMPONENTS:
            raise format_error(place, f"the component {name!r} of spaCy", f"one of {', '.join(COMPONENTS)}")
        if "source" in component:
            raise format_error(place, f"the component {name!r} from another pipeline", "its own")
    for key, value in _functions(config):
        if value not in _FUNCTIONS.get(key, ()):
            expected = "those of spaCy's taggers and parsers"
            raise format_error(place, f"the function {key} = {value!r} in {_CONFIG_NAME}", expected)


def _functions(value: Any) -> Iterator[Tuple[str, Any]]:
    """Yields the registered functions in a configuration, each with the key that names its registry."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key.startswith("@"):
                yield key, part
            else:
                yield from _functions(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _functions(part)
