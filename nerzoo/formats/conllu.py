import re
from collections import Counter
from itertools import dropwhile
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import unquote

from conllu.exceptions import ParseException
from conllu.parser import parse_comment_line, parse_id_value

from nerzoo.errors import check_choice, format_error
from nerzoo.formats.corpus import (
    TREEBANK,
    AnnotationWriter,
    Content,
    Corpus,
    TextCorpus,
    TextWriter,
    bracketed_spans,
    parse_heads,
    tagged_spans,
)
from nerzoo.formats.lines import Line, blocks, split_columns
from nerzoo.text.annotation import Document, Sentence, check_coding_scheme, entities_to_tags, layer, nested

_ID, _FORM, _UPOS, _XPOS, _HEAD, _DEPREL, _MISC = 0, 1, 3, 4, 6, 7, 9
_NUM_COLUMNS = 10
_ENTITY_FIELDS = "GRP-etype-infstat-salience-centering-minspan-link-identity"
_WRITTEN_FIELDS = "GRP-etype"
_NO_ID = re.compile(r"#\s*newdoc id\s*=?\s*")
_OTHERS = "entities that are not proper names"
_SPECIAL = re.compile(r"[-()|=% \t\n\r]")


@Corpus.register("conllu")
class ConlluCorpus(TextCorpus):
    """
    CoNLL-U, the format of Universal Dependencies, with entities in the last column: `Entity=(1-person-new-...` as in
    the GUM corpus, `NER=B-PER`, or both. In a type, characters such as hyphens may be escaped, as `%2D`.

    Multiword ranges and empty nodes are skipped. The words of a range have no space between them, only after the last
    one. Parts of speech are language-specific tags, or universal tags where a sentence has no others.

    # Parameters

    coding_scheme : `str`, optional (default = `"BIO"`)
        The coding scheme of `NER=`, one of `nerzoo.text.annotation.SCHEMES`.
    proper_names : `bool`, optional (default = `False`)
        Whether to keep only mentions with a proper noun in their `minspan`, a word tagged NNP or NNPS, or PROPN as its
        universal tag. They come close to the entities of other corpora: `Entity=` also marks pronouns and common nouns.
        A file without universal tags that has mentions, but none of those, raises `ConfigurationError`.
    """

    def __init__(self, coding_scheme: str = "BIO", proper_names: bool = False) -> None:
        check_coding_scheme(coding_scheme)
        self._coding_scheme = coding_scheme
        self._proper_names = proper_names

    def _parse(self, lines: Iterator[Line], counts: Counter) -> Iterator[Document]:
        document = Document()
        entity_fields = _ENTITY_FIELDS
        path, is_judged = "", not self._proper_names
        for block in blocks(lines):
            path = block[0].path
            comments = _comments(block)
            if "newdoc" in comments or "newdoc id" in comments:
                yield document
                document = Document(comments.get("newdoc id"))
            # Declared once per document or file. Only `newdoc` and `newpar` may have no value.
            entity_fields = comments.get("global.Entity") or entity_fields
            sentence_id = comments.get("sent_id")
            block = [Line(line.path, line.number, line.text, sentence_id) for line in block]
            document.sentences.append(self._parsed_sentence(block, entity_fields, counts))
            is_judged = is_judged or bool(document.sentences[-1].entities) or _has_universal_tags(block)
        if counts[_OTHERS] and not is_judged:
            expected = "proper_names to keep some: words tagged NNP, NNPS or PROPN"
            raise format_error(path, f"{counts[_OTHERS]} entities, none of them with a proper noun", expected)
        yield document

    def _parsed_sentence(self, block: List[Line], entity_fields: str, counts: Counter) -> Sentence:
        lines, rows, misc, space_after = map(list, zip(*_words(block, counts), strict=True))
        entities = tagged_spans([cell.get("NER", "O") for cell in misc], lines, self._coding_scheme)
        mentions = [cell.get("Entity", "") for cell in misc]
        for span in bracketed_spans(mentions, lines, name=lambda body: body.split("-")[0]):
            fields = dict(zip(entity_fields.split("-"), span.label.split("-"), strict=False))
            try:
                entity = span._replace(label=unquote(fields["etype"]))
                if not entity.label.strip():
                    raise ValueError(entity.label)
                is_kept = not self._proper_names or _is_proper_name(rows[span.start : span.end], fields["minspan"])
            except (KeyError, ValueError, IndexError):
                raise format_error(lines[span.start], f"the entity {span.label!r}", entity_fields) from None
            entities += [entity] * is_kept
            counts[_OTHERS] += not is_kept
        return Sentence(
            words=[row[_FORM] for row in rows],
            pos=_column(rows, _XPOS) or _column(rows, _UPOS),
            heads=parse_heads([row[_HEAD] for row in rows], lines),
            dep_labels=_column(rows, _DEPREL),
            entities=nested(entities, lambda entity: lines[entity.start]),
            space_after=space_after,
            id=str(lines[0]),
        )


def _column(rows: List[List[str]], index: int) -> Optional[List[str]]:
    cells = [row[index] for row in rows]
    return None if all(cell == "_" for cell in cells) else cells


def _is_proper_name(rows: List[List[str]], minspan: str) -> bool:
    """Returns whether a word of a mention's `minspan` is a proper noun."""
    positions = list(map(int, minspan.split(",")))
    if min(positions) < 1:
        raise ValueError(minspan)
    nouns = [rows[position - 1] for position in positions]
    return any(noun[_XPOS] in ("NNP", "NNPS") or noun[_UPOS] == "PROPN" for noun in nouns)


def _has_universal_tags(block: List[Line]) -> bool:
    return any(line.text.split("\t")[_UPOS] != "_" for line in block if not _is_comment(line))


def _is_comment(line: Line) -> bool:
    return line.text.startswith("#")


def _comments(block: List[Line]) -> Dict[str, Optional[str]]:
    pairs: List[Tuple[str, Optional[str]]] = []
    for line in filter(_is_comment, block):
        found = parse_comment_line(line.text)
        if not found and _NO_ID.fullmatch(line.text):
            raise format_error(line, repr(line.text), "'# newdoc id = ID', or '# newdoc'")
        pairs += found
        _check_once(pairs, ("newdoc id", "sent_id", "global.Entity"), line)
    return dict(pairs)


def _check_once(pairs: Sequence[Tuple[str, Any]], read: Tuple[str, ...], line: Line) -> None:
    """Raises `ConfigurationError` where a key that is read occurs twice: only one of its values would count."""
    keys = [key for key, _ in pairs]
    if len({*keys}) < len(keys):
        for key in keys:
            if keys.count(key) > 1 and key in read:
                raise format_error(line, f"{key!r} {keys.count(key)} times", "once at most")


def _words(block: List[Line], counts: Counter) -> List[Tuple[Line, List[str], Dict[str, str], bool]]:
    """Returns for each word its line, its cells, the pairs in its last cell, and whether a space follows it."""
    lines = list(dropwhile(_is_comment, block))
    comments = list(filter(_is_comment, lines))
    if comments:
        raise format_error(comments[0], f"the comment {comments[0].text!r} after a word", "comments before all words")
    words: List[Tuple[Line, List[str], Dict[str, str], bool]] = []
    range_end, range_space = 0, False
    for line, row in zip(lines, split_columns(lines, "\t"), strict=True):
        if len(row) != _NUM_COLUMNS:
            raise format_error(line, f"{len(row)} columns", f"{_NUM_COLUMNS}, separated by tabs")
        if "" in row:
            raise format_error(line, f"nothing in column {row.index('') + 1}", "a value, or _ in place of one")
        word_id: Any = len(words) + 1
        if row[_ID] != str(word_id):
            try:
                word_id = parse_id_value(row[_ID])
            # A ValueError is Python's, for more than 4,300 digits.
            except (ParseException, ValueError):
                word_id = None
        pairs = [pair.partition("=")[::2] for pair in row[_MISC].split("|")]
        _check_once(pairs, ("Entity", "NER", "SpaceAfter"), line)
        misc = dict(pairs)
        has_space = misc.get("SpaceAfter") != "No"
        if isinstance(word_id, tuple):
            first, kind, last = word_id
            if kind == "." and first != len(words):
                raise format_error(line, f"the empty node {row[_ID]}", f"one after word {len(words)}, {len(words)}.1")
            if kind == "-":
                if first != len(words) + 1 or first <= range_end or first >= last:
                    next_word = max(len(words), range_end) + 1
                    raise format_error(line, f"the range {row[_ID]}", f"one from the next word, {next_word}, on")
                range_end, range_space = last, has_space
            counts["multiword ranges" if kind == "-" else "empty nodes"] += 1
        elif word_id != len(words) + 1:
            raise format_error(line, f"the word id {row[_ID]!r}", str(len(words) + 1))
        else:
            is_inside = word_id < range_end
            words.append((line, row, misc, range_space if word_id == range_end else has_space and not is_inside))
    if not words:
        raise format_error(block[0], "a sentence without words", "at least one")
    if range_end > len(words):
        raise format_error(lines[-1], f"a range up to word {range_end}", f"one up to {len(words)}, the last word")
    return words


@AnnotationWriter.register("conllu")
class ConlluWriter(TextWriter):
    """
    CoNLL-U, with entities in the last column; see `ConlluCorpus`. Parts of speech are in the column of
    language-specific tags. Columns without annotation have `_`. Raises `ConfigurationError` where the coding scheme or
    the notation is unknown.

    # Parameters

    entities : `str`, optional (default = `"NER"`)
        `"NER"`: tags, `NER=B-PER`, of the outermost entities; `"Entity"`: brackets, `Entity=(1-PER`, of all.
    coding_scheme : `str`, optional (default = `"BIO"`)
        The coding scheme of the tags, one of `nerzoo.text.annotation.SCHEMES`.
    """

    expresses = TREEBANK

    def __init__(self, entities: str = "NER", coding_scheme: str = "BIO") -> None:
        super().__init__()
        check_coding_scheme(coding_scheme)
        check_choice("entities", entities, ("NER", "Entity"))
        self._coding_scheme = coding_scheme
        self._bracketed = entities == "Entity"
        if self._bracketed:
            self.expresses |= {Content.NESTED_ENTITIES}

    def _text(self, document: Document) -> str:
        comments = []
        if document.id is not None:
            # Readers remove white space around the value of a comment.
            if not _fits(document.id) or document.id != document.id.strip():
                expected = "one without tabs, line ends and white space at its ends"
                raise format_error(document.sentences[0].location, f"the id {document.id!r} of a document", expected)
            comments.append(f"# newdoc id = {document.id}")
        if self._bracketed:
            comments.append(f"# global.Entity = {_WRITTEN_FIELDS}")
        text = []
        for sentence in document.sentences:
            text += [*comments, f"# text = {sentence.text}", *self._rows(sentence), ""]
            comments = []
        return "".join(line + "\n" for line in text)

    def _rows(self, sentence: Sentence) -> Iterator[str]:
        misc = _brackets(sentence) if self._bracketed else self._tags(sentence)
        missing = ["_"] * len(sentence.words)
        heads = missing if sentence.heads is None else list(map(str, sentence.heads))
        pos, dep_labels = sentence.pos or missing, sentence.dep_labels or missing
        for number, form in enumerate(sentence.words):
            if sentence.space_after is not None and not sentence.space_after[number]:
                misc[number].append("SpaceAfter=No")
            others = "|".join(misc[number]) or "_"
            cells = [str(number + 1), form, *"__", pos[number], "_", heads[number], dep_labels[number], "_", others]
            for cell in cells:
                if not _fits(cell):
                    raise format_error(sentence.location, f"{cell!r}", "something without tabs and line ends")
            yield "\t".join(cells)

    def _tags(self, sentence: Sentence) -> List[List[str]]:
        entities = layer(sentence.entities, "outermost")
        for _, _, label in entities:
            if "|" in label:
                raise format_error(sentence.location, f"the label {label!r}", "one without '|'")
        tags = entities_to_tags(entities, len(sentence.words), self._coding_scheme)
        return [[] if tag == "O" else [f"NER={tag}"] for tag in tags]


def _fits(text: str) -> bool:
    """Returns whether a text is neither empty nor ends a cell or a line."""
    return text != "" and not any(character in text for character in "\t\n\r")


def _brackets(sentence: Sentence) -> List[List[str]]:
    cells = [""] * len(sentence.words)
    # Outer entities come first. No word opens one entity and closes another one, since they would cross.
    entities = list(enumerate(nested(sentence.entities, lambda entity: sentence.location), start=1))
    for group, (start, end, label) in entities:
        escaped = _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", label)
        cells[start] += f"({group}-{escaped}" + ")" * (end - start == 1)
    for group, (start, end, _) in reversed(entities):
        cells[end - 1] += f"{group})" * (end - start > 1)
    return [[f"Entity={cell}"] if cell else [] for cell in cells]
