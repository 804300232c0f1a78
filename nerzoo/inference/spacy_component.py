"""Archives in the spaCy component of `nerzoo.zoo.spacy_component`, and the annotation that their models read."""

import tempfile
from pathlib import Path
from typing import List, Optional, Tuple, cast

import torch
from allennlp.common.checks import ConfigurationError
from spacy.parts_of_speech import IDS as UNIVERSAL_TAGS
from spacy.tokens import Doc

from nerzoo import archives
from nerzoo.data.dataset_readers.annotated_text_reader import AnnotatedTextReader
from nerzoo.data.parsed_labels import check_labels, known_labels
from nerzoo.errors import format_error
from nerzoo.inference.ner import DocumentNerPredictor, NerPredictor
from nerzoo.inference.tagger import Tagger
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.zoo.spacy_component import DocAnnotator, DocReader, Object


def load(
    name: str,
    content: bytes,
    annotator: DocAnnotator,
    device: Optional[str],
    batch_tokens: int,
    allow_unknown_labels: bool,
) -> Tuple[Tagger, "ArchiveDocReader"]:
    """Loads an archive for a component. Raises `ConfigurationError` where its model predicts other annotation."""
    with tempfile.TemporaryDirectory() as folder:
        # A copy, so that the same archive is loaded and saved, even if the file changes in between.
        path = Path(folder) / archives.ARCHIVE_NAME
        path.write_bytes(content)
        tagger = Tagger.load(path, device, batch_tokens)
    predictor = tagger.predictor
    if not isinstance(predictor, NerPredictor):
        found = f"a {type(predictor.model).__name__}"
        raise format_error(name, found, "a model that finds entities or tags")
    model = predictor.model
    annotator.check(name, not isinstance(model, TaggingModel) or model.head.coding_scheme is not None)
    return tagger, ArchiveDocReader(predictor, allow_unknown_labels)


def use_one_thread() -> None:
    """Lets PyTorch compute in this thread alone."""
    torch.set_num_threads(1)


class ArchiveDocReader(DocReader):
    """
    Turns Docs into items of a predictor: their words, and the annotation that the model reads, sentence by sentence, or
    as documents.
    """

    def __init__(self, predictor: NerPredictor, allow_unknown_labels: bool = False) -> None:
        super().__init__(isinstance(predictor, DocumentNerPredictor))
        self._allow_unknown_labels = allow_unknown_labels
        model = predictor.model
        self._known = known_labels(cast(AnnotatedTextReader, predictor.dataset_reader).token_indexers, model.vocab)
        self._reads_heads = "heads" in getattr(getattr(model, "encoder", None), "context", ())
        is_universal = self._known.get("tag_", set()) <= {*UNIVERSAL_TAGS, "_"}
        self._tag_names = ("pos_", "tag_") if is_universal else ("tag_", "pos_")
        # Treebanks write root, spaCy ROOT.
        self._root = "ROOT" if {"ROOT", "root"} & self._known.get("dep_", set()) == {"ROOT"} else "root"

    def _annotation(self, doc: Doc) -> Object:
        annotation: Object = {}
        if "tag_" in self._known:
            present = [name for name in self._tag_names if doc.has_annotation(name.rstrip("_").upper())]
            _check_present("part-of-speech tags", "a tagger", bool(present))
            annotation["pos"] = [getattr(token, present[0]) for token in doc]
            self._check(doc, "tag_", annotation["pos"], f" ({present[0]})")
        if self._reads_heads or "dep_" in self._known:
            _check_present("dependency parse", "a parser", doc.has_annotation("DEP"))
            annotation["dep_labels"] = [self._root if token.head.i == token.i else token.dep_ for token in doc]
            annotation["root"] = self._root
            self._check(doc, "dep_", annotation["dep_labels"])
        return annotation

    def _check(self, doc: Doc, feature: str, labels: List[str], source: str = "") -> None:
        if self._allow_unknown_labels or feature not in self._known:
            return
        found = (label for token, label in zip(doc, labels, strict=True) if not token.is_space)
        remedy = (
            "With another parser or tagger before nerzoo, the Doc would have them; the option allow_unknown_labels "
            "lets the model take them for unknown ones"
        )
        check_labels(feature, found, self._known[feature], source, remedy)


def _check_present(annotation: str, component: str, is_present: bool) -> None:
    if not is_present:
        found = f"found no {annotation}, which the model reads"
        raise ConfigurationError(f"{found}, expected {component} before nerzoo in the pipeline")
