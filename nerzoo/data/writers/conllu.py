import re
from typing import Iterator, List

from allennlp.common.checks import ConfigurationError

from nerzoo.data import tag_schemes
from nerzoo.data.annotation import Document, Sentence
from nerzoo.data.lines import format_error
from nerzoo.data.nesting import nested
from nerzoo.data.writers import losses
from nerzoo.data.writers.annotation_writer import AnnotationWriter
from nerzoo.data.writers.text_writer import TextWriter

_ENTITY_FIELDS = "GRP-etype"
_SPECIAL = re.compile(r"[-()|=% \t\n\r]")


@AnnotationWriter.register("conllu")
class ConlluWriter(TextWriter):
    """
    CoNLL-U, with entities in the last column; see `nerzoo.data.corpora.ConlluCorpus`. Parts of speech are in the column
    of language-specific tags; columns of which nothing is known have `_`.

    # Parameters

    entities : `str`, optional (default = `"NER"`)
        `"NER"`: tags, `NER=B-PER`, of the outermost entities; `"Entity"`: brackets, `Entity=(1-PER`, which may be
        nested.
    coding_scheme : `str`, optional (default = `"BIO"`)
        The coding scheme of the tags, one of `nerzoo.data.tag_schemes.SCHEMES`.

    # Raises

    `ConfigurationError` where the coding scheme or the notation is unknown.
    """

    expresses = losses.ANNOTATED_WORDS

    def __init__(self, entities: str = "NER", coding_scheme: str = "BIO") -> None:
        super().__init__()
        tag_schemes.check_coding_scheme(coding_scheme)
        if entities not in ("NER", "Entity"):
            raise ConfigurationError(f"found the entities {entities!r}, expected 'NER' or 'Entity'")
        self._coding_scheme = coding_scheme
        self._bracketed = entities == "Entity"
        if self._bracketed:
            self.expresses |= {losses.NESTED_ENTITIES}

    def _text(self, document: Document) -> str:
        comments = [] if document.id is None else [f"# newdoc id = {document.id}"]
        if self._bracketed:
            comments.append(f"# global.Entity = {_ENTITY_FIELDS}")
        text = []
        for sentence in document.sentences:
            text += [*comments, f"# text = {sentence.text}", *self._rows(sentence), ""]
            comments = []
        return "".join(line + "\n" for line in text)

    def _rows(self, sentence: Sentence) -> Iterator[str]:
        misc = self._brackets(sentence) if self._bracketed else self._tags(sentence)
        missing = ["_"] * len(sentence.words)
        heads = missing if sentence.heads is None else list(map(str, sentence.heads))
        pos, dep_labels = sentence.pos or missing, sentence.dep_labels or missing
        for number, form in enumerate(sentence.words):
            if sentence.space_after is not None and not sentence.space_after[number]:
                misc[number].append("SpaceAfter=No")
            others = "|".join(misc[number]) or "_"
            cells = [str(number + 1), form, *"__", pos[number], "_", heads[number], dep_labels[number], "_", others]
            for cell in cells:
                if not cell or any(character in cell for character in "\t\n\r"):
                    raise format_error(sentence.location, f"{cell!r}", "something without tabs and line ends")
            yield "\t".join(cells)

    def _tags(self, sentence: Sentence) -> List[List[str]]:
        entities = tag_schemes.layer(sentence.entities, "outermost")
        for _, _, label in entities:
            if "|" in label:
                raise format_error(sentence.location, f"the label {label!r}", "one without '|'")
        tags = tag_schemes.entities_to_tags(entities, len(sentence.words), self._coding_scheme)
        return [[] if tag == "O" else [f"NER={tag}"] for tag in tags]

    def _brackets(self, sentence: Sentence) -> List[List[str]]:
        cells = [""] * len(sentence.words)
        # Outer ones first. No word opens one entity and closes another one, since they would cross.
        entities = list(enumerate(nested(sentence.entities, lambda entity: sentence.location), start=1))
        for group, (start, end, label) in entities:
            escaped = _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", label)
            cells[start] += f"({group}-{escaped}" + ")" * (end - start == 1)
        for group, (start, end, _) in reversed(entities):
            cells[end - 1] += f"{group})" * (end - start > 1)
        return [[f"Entity={cell}"] if cell else [] for cell in cells]
