"""
Splits raw text into sentences and words, by rules that need only the standard library.

Words are those of the English treebanks of Universal Dependencies: punctuation and clitics ("n't", "'s") are words, and
so are the parts of most words with hyphens; URLs, e-mail addresses, handles, hashtags, numbers and abbreviations are
one word each. A Chinese character or Japanese kana is one word. Every character that is not white space is in a word.
"""

import re
import unicodedata
from itertools import groupby
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from nerzoo.errors import check_choice
from nerzoo.text.annotation import running_text

MAX_WORD = 250
"""The largest number of characters of a word. A longer run without any bound becomes several words."""
MAX_SENTENCE = 400
"""The largest number of words of a sentence. A longer one without any bound becomes several sentences."""


class SplitSentence(NamedTuple):
    """The words of a sentence, at least one, and the position in the text of the first character of each."""

    words: List[str]
    offsets: List[int]

    @property
    def start(self) -> int:
        """The position of the first character."""
        return self.offsets[0]

    @property
    def end(self) -> int:
        """The position after the last character."""
        return self.offsets[-1] + len(self.words[-1])


def split_text(text: str, splitter: str = "rules") -> List[SplitSentence]:
    """
    Splits a text into sentences, none if it has only white space, by one of `SPLITTERS`; another `splitter` raises
    `ConfigurationError`. Between words is nothing but white space. Blank lines always end a sentence, and what is
    before one does not depend on what is after it. Takes linear time.
    """
    check_splitter(splitter)
    return list(SPLITTERS[splitter](text))


def text_prediction(
    text: str, sentences: Sequence[SplitSentence], predictions: Sequence[Dict[str, Any]]
) -> Dict[str, Any]:
    """
    Joins the predictions for the sentences of a text, whose characters count from the start of each, to the prediction
    for the text: `text`; `entities`, if the predictions have them, with `text`, `label`, `start_char`, `end_char` and,
    if known, `probability`; and `sentences`, the predictions with `offsets` of words. All characters count from the
    start of the text.
    """
    moved = []
    for sentence, prediction in zip(sentences, predictions, strict=True):
        moved.append({"words": sentence.words, "offsets": sentence.offsets, **_moved(prediction, sentence.start)})
    joined: Dict[str, Any] = {"text": text}
    if all("entities" in prediction for prediction in moved):
        joined["entities"] = [
            {name: entity[name] for name in _ENTITY_KEYS if name in entity}
            for part in moved
            for entity in part["entities"]
        ]
    return {**joined, "sentences": moved}


def completed(item: Any, prediction: Dict[str, Any]) -> Dict[str, Any]:
    """
    Returns a prediction for an item with its entities first; with `text`, which is that of the item or its words,
    joined; and with what the item has beside words and annotation, such as an `id`. Likewise for each of `sentences`.
    """
    given: Mapping[str, Any] = item if isinstance(item, Mapping) else {}
    if "text" not in prediction and "sentences" in prediction:
        pairs = zip(given["sentences"], prediction["sentences"], strict=True)
        prediction = {**prediction, "sentences": [completed(*pair) for pair in pairs]}
    elif "text" not in prediction:
        words, text = prediction["words"], given.get("sentence")
        if text is None:
            text = running_text(words, given.get("space_after")) if words else ""
        prediction = {"text": text, **prediction}
    first = {"entities": prediction["entities"]} if "entities" in prediction else {}
    others = {key: given[key] for key in given if key not in _ITEM_KEYS and key not in prediction}
    return {**first, **prediction, **others}


_ANNOTATION_KEYS = {"space_after", "pos", "heads", "dep_labels", "entities", "tags", "types"}
_ITEM_KEYS = {"text", "sentence", "words", "sentences", *_ANNOTATION_KEYS}
_ENTITY_KEYS = ("text", "label", "start_char", "end_char", "probability")
_WITH_ENTITIES = ("entities", "gold_entities")


def _moved(obj: Dict[str, Any], start: int) -> Dict[str, Any]:
    """Adds the start of a sentence to the positions of its entities."""
    if "start_char" in obj:
        return {**obj, "start_char": obj["start_char"] + start, "end_char": obj["end_char"] + start}
    lists = {name: [_moved(part, start) for part in obj[name]] for name in _WITH_ENTITIES if name in obj}
    return {**obj, **lists}


def check_splitter(splitter: str) -> None:
    """Raises `ConfigurationError` unless `splitter` is one of `SPLITTERS`."""
    check_choice("splitter", splitter, list(SPLITTERS))


def text_units(lines: Iterable[Tuple[int, str]], unit: str) -> Iterator[Tuple[int, str]]:
    """
    Joins numbered lines of a file to texts, one of `TEXT_UNITS`: lines, paragraphs, which blank lines bound, or the
    whole file. Yields each with the number of its first line, and leaves out those with nothing but white space.
    """
    texts: Iterable[List[Tuple[int, str]]] = ([line] for line in lines)
    if unit == "paragraph":
        texts = (list(group) for _, group in groupby(lines, key=lambda line: not line[1].strip()))
    elif unit == "file":
        texts = [list(lines)]
    for text in texts:
        if any(line.strip() for _, line in text):
            yield text[0][0], "\n".join(line for _, line in text)


def split_by_rules(text: str) -> Iterator[SplitSentence]:
    """Yields the sentences of a text, by rules for abbreviations, quotes, brackets, lists and line breaks."""
    plain = text.translate(_STAND_INS)
    for start, end in _outside(_BLANK_LINES, plain):
        yield from _sentences(text, plain, _words(plain, start, end))


def split_by_lines(text: str) -> Iterator[SplitSentence]:
    """Yields each line that is not blank as a sentence, with the words of `split_by_rules`."""
    plain = text.translate(_STAND_INS)
    for start, end in _outside(_LINE_BREAK, plain):
        yield from _pieces(text, plain, _words(plain, start, end))


SPLITTERS: Dict[str, Callable[[str], Iterator[SplitSentence]]] = {"rules": split_by_rules, "lines": split_by_lines}
"""The ways to split a text, by name."""
DEFAULT_SPLITTER = "rules"
TEXT_UNITS = ("line", "paragraph", "file")
"""The parts of a file that are texts."""

# Rules read a copy of the text in which an ASCII character stands for each character that is like it.
_MARK, _OTHER, _IDEOGRAPH, _STOP, _ELLIPSIS = "\x01\x02\x03\x04\x05"
_STAND_IN_OF_CATEGORY = {
    **dict.fromkeys(("Lu", "Lt"), "A"),
    **dict.fromkeys(("Ll", "Lm", "Lo", "Cs", "Co", "Cn"), "a"),
    **dict.fromkeys(("Mn", "Mc", "Me", "Cf"), _MARK),
    **dict.fromkeys(("Nd", "Nl", "No"), "0"),
    **dict.fromkeys(("Zs", "Zl", "Zp"), " "),
    "Sc": "$",
}
_STAND_IN_OF_CHARACTER = {
    **dict.fromkeys("\n\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"),
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("‘’‚‛´", "'"),
    **dict.fromkeys("（［｛〔【《〈「『", "("),
    **dict.fromkeys("）］｝〕】》〉」』", ")"),
    **dict.fromkeys("。．！？｡؟۔।॥։።", _STOP),
    **dict.fromkeys("‐‑", "-"),
    "…": _ELLIPSIS,
}
_IDEOGRAPHS = (("\u3040", "\u30ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"))
_HIGHER_IDEOGRAPHS = ("\U00020000", "\U0003ffff")


class _StandIns(Dict[int, str]):
    """The stand-in of each character by its code point, found when it is first needed."""

    def __missing__(self, code: int) -> str:
        self[code] = stand_in = _stand_in(chr(code))
        return stand_in


def _stand_in(character: str) -> str:
    if character in _STAND_IN_OF_CHARACTER:
        return _STAND_IN_OF_CHARACTER[character]
    if character.isspace():
        return " "
    if " " < character <= "~":
        return character
    category = unicodedata.category(character)
    ranges = (*_IDEOGRAPHS, _HIGHER_IDEOGRAPHS)
    if category in ("Lo", "Lm") and any(first <= character <= last for first, last in ranges):
        return _IDEOGRAPH
    return _STAND_IN_OF_CATEGORY.get(category, _OTHER)


_STAND_INS = _StandIns()
_LINE_BREAK = re.compile(r"\n")
_BLANK_LINES = re.compile(r"\n *\n[ \n]*")

_TITLES = (
    "Mr|Mrs|Ms|Dr|Prof|St|Ft|Mt|Gen|Col|Lt|Maj|Capt|Cmdr|Sgt|Sen|Reps?|Gov|Rev|Hon|Pres|Supt|Adm|Fr|Sr|Messrs|Attn|"
    "vs|v|No|Nos|Art|Vol|Fig|Figs|Eq|Eqs|Sec|Ch|Para|cf|ca|approx|pp|ed|eds|Ph|Univ|Dept|Mob|Tel"
)
"""Abbreviations that something else follows in the same sentence."""
_OTHER_ABBREVIATIONS = (
    "Jr|Inc|Co|Corp|Ltd|Bros|Ave|Blvd|Rd|Assn|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thurs?|Fri|"
    "etc|al|eg|ie|est|dept|ext|incl|max|min|misc|yrs|lbs?|oz|Calif|Conn|Colo|Ariz|Fla|Ga|Ill|Ind|Kan|Ky|La|Mass|Md|"
    "Mich|Minn|Miss|Mo|Mont|Neb|Nev|Okla|Ore|Pa|Penn|Tenn|Tex|Va|Vt|Wash|Wis|Wyo|Ont|Que"
)
_CONTRACTIONS = "[Cc]annot|[Gg]onna|[Ww]anna|[Gg]otta|[Ll]emme|[Gg]imme"
_PREFIXES = "non|e|anti|re|co|pre|pro|mid|cross|post|semi|multi|ex|sub|counter|pan|mini|neo|socio|psycho|inter|micro"
_DOMAINS = (
    "com|org|net|edu|gov|mil|info|co|uk|de|fr|eu|ca|au|io|tv|us|jp|ru|cn|nl|ch|it|es|se|no|in|br|html?|pdf|docx?|xlsx?"
)

_WORDS = re.compile(
    rf"""
    # most words
    (?!(?:{_CONTRACTIONS})\b)[A-Za-z]{{1,50}}(?=[ \n])
    # addresses, without the punctuation after them
    |(?:(?:https?|ftp)://|www\.)[^\s\x02-\x05"<>]{{0,{MAX_WORD}}}[^\s\x02-\x05"<>'.,;:!?)\]}}]
    |[\w.+\x2d]{{1,64}}@[\w\x2d]{{1,63}}(?:\.[\w\x2d]{{1,63}}){{1,8}}
    |[@\#]\w+
    |(?:[\w\x2d]{{1,63}}\.){{1,8}}(?:{_DOMAINS}|{_DOMAINS.upper()})\b(?![.@\x2d]\w)(?:/[^\s\x02-\x05"<>()]{{0,{MAX_WORD}}}[\w/])?
    # abbreviations, initials, contractions
    |(?:[A-Za-z]\.){{2,12}}(?:[A-Za-z]\b(?!\.))?
    |Ph\.D\.
    |(?:Nos?|[b-df](?:a|l|p)?)\.(?=\ ?[0-9])
    |(?:{_TITLES}|{_OTHER_ABBREVIATIONS})\.(?!\w|\.\.)
    |[A-Z]\.(?=\s*[A-Z\(])
    |[Cc][Aa][Nn](?=[Nn][Oo][Tt]\b)
    |[Gg]on(?=na\b)|[Ww]an(?=na\b)|[Gg]ot(?=ta\b)|[Ll]em(?=me\b)|[Gg]im(?=me\b)
    |[A-Za-z]{{1,30}}?(?=[Nn]'[Tt]\b)
    |[Nn]'[Tt]\b
    |'(?:s|S|re|RE|ve|VE|ll|LL|d|D|m|M)\b
    |'[0-9]{{2}}s?\b
    # numbers
    |\+?[0-9]{{1,4}}(?:-[0-9]{{2,7}}){{2,4}}\b
    |[0-9]{{3}}-[0-9]{{4}}\b
    |[0-9]{{1,2}}(?=(?:am|pm|AM|PM)\b)
    |[0-9]{{1,{MAX_WORD}}}(?:[.,:/][0-9]{{1,20}}){{0,20}}(?:(?:st|nd|rd|th|s)\b|\x01)?(?![A-Za-z])
    |\.[0-9]{{1,20}}\b
    # words
    |(?:{_PREFIXES}|{_PREFIXES.title()})-[A-Za-z\x01]{{1,50}}
    |[A-Z]{{1,5}}&[A-Z]{{1,5}}\b
    |[A-Z]-[0-9]{{1,4}}\b
    |[A-Za-z0-9_\x01]{{1,100}}(?:'(?!(?:s|S|re|RE|ve|VE|ll|LL|d|D|m|M)\b)[A-Za-z\x01]{{1,50}}){{0,3}}
    |\x03\x01*
    # symbols
    |[:;=8]-?[)(DPp](?![\w)(])|<3\b
    |[.!?]+|\$+|\x05\.{{0,4}}|-+|=+|\*+|_+|~+|<{{1,3}}|>{{1,3}}|''|``
    |\S\x01{{0,20}}
    """,
    re.ASCII | re.VERBOSE,
)

_END = re.compile(r"[.!?\x05]+|\x04\x01*")
_LAST = frozenset(".!?)]\"'\x01\x04\x05")
"""The last characters of words after which a sentence may start in the same line."""
_CLOSER = re.compile(r"[)\]\"']|''")
_ABBREVIATION = re.compile(r"[A-Za-z][A-Za-z.]*\.")
_TITLE = re.compile(rf"(?:{_TITLES}|Nos?|[A-Z]|[a-d]|[bf]l|[Ee]\.g|[Ii]\.e)\.", re.ASCII)
_OPENER = re.compile(r"[(\[\"'\x60<*]|''|--?|\x60\x60")
_STARTER = re.compile(
    "A|After|All|Also|Although|An|And|Another|As|At|Because|Before|But|By|Can|Did|Do|Does|During|Each|For|"
    "From|He|Her|Here|His|How|However|I|If|In|It|Its|Just|Many|More|Most|My|No|Not|Now|On|Once|One|Or|Our|She|"
    "Since|So|Some|Such|That|The|Their|Then|There|These|They|This|Those|Though|To|Under|Until|We|Well|What|"
    "When|Where|Which|While|Who|Why|With|Would|Yet|You|Your"
)
_REFERENCE = re.compile(r"\[[0-9a-z, ]{1,10}\]")
_NUMBER = re.compile(r"[0-9]{1,3}|[a-zA-HJ-Z]", re.ASCII)
_LIST_MARK = re.compile(r"[-*\x02][ ]+\S|\(?(?:[0-9]{1,3}|[a-zA-Z])[.)][ ]+\S")


def _outside(bounds: "re.Pattern[str]", text: str) -> Iterator[Tuple[int, int]]:
    """Yields start and end of each part of a text that is outside of the matches of a pattern."""
    start = 0
    for bound in bounds.finditer(text):
        yield start, bound.start()
        start = bound.end()
    yield start, len(text)


def _words(text: str, start: int, end: int) -> List[Tuple[int, int]]:
    """Returns start and end of each word in a part of a text."""
    words: List[Tuple[int, int]] = []
    for match in _WORDS.finditer(text, start, end):
        first, last = match.span()
        while last - first > MAX_WORD:
            words.append((first, first + MAX_WORD))
            first += MAX_WORD
        words.append((first, last))
    return words


def _sentences(text: str, plain: str, spans: List[Tuple[int, int]]) -> Iterator[SplitSentence]:
    """Yields the sentences of a paragraph, given start and end of its words."""
    words = [plain[start:end] for start, end in spans]
    first = 0
    for position in range(1, len(words)):
        if _is_bound(plain, spans, words, first, position):
            yield from _pieces(text, plain, spans[first:position])
            first = position
    yield from _pieces(text, plain, spans[first:])


def _is_bound(plain: str, spans: Sequence[Tuple[int, int]], words: Sequence[str], first: int, position: int) -> bool:
    """Returns whether a sentence starts at a word of a paragraph, given the first word of the sentence before it."""
    start, gap = spans[position][0], plain[spans[position - 1][1] : spans[position][0]]
    if words[position - 1][-1] not in _LAST and "\n" not in gap:
        return False
    if "\n" in gap and _LIST_MARK.match(plain, start):
        return True
    last = position - 1
    # Quotes, brackets and the marks of references belong to the sentence that they close.
    if last > 2 and words[last] == "]" and _REFERENCE.fullmatch(plain, spans[last - 2][0], spans[last][1]):
        last -= 3
    while last > max(0, position - 5) and _CLOSER.fullmatch(words[last]) and spans[last][0] == spans[last - 1][1]:
        last -= 1
    end, following = words[last], words[position]
    if end.startswith(_STOP):
        return not (_CLOSER.fullmatch(following) or following.startswith(_STOP)) or bool(gap)
    is_mark = end == "." and last == first + 1 and _NUMBER.fullmatch(words[first])
    if not gap or is_mark or _REFERENCE.match(plain, start):
        return False
    opened = position
    while opened + 1 < len(words) and opened < position + 3 and _OPENER.fullmatch(words[opened]):
        opened += 1
    begin = words[opened]
    starts_high = begin[0].isupper() or begin[0].isdigit() or begin[0] in "@#$\x02\x03" or begin.startswith("http")
    if _ABBREVIATION.fullmatch(end):
        if _TITLE.fullmatch(end) and "\n" not in gap:
            return False
        return _STARTER.fullmatch(begin) is not None or opened > position and begin[0].isupper()
    if not _END.fullmatch(end):
        return False
    if end[0] in ".!?" and (end == "." or end[-1] != "."):
        return starts_high or "\n" in gap or last == position - 1 and begin[0] not in ",;:."
    return begin[0].isupper() or "\n" in gap


def _pieces(text: str, plain: str, spans: List[Tuple[int, int]]) -> Iterator[SplitSentence]:
    """Yields the words as a sentence, or as several if there are more than `MAX_SENTENCE`, cut after a comma if any."""
    first = 0
    while first < len(spans):
        last = min(first + MAX_SENTENCE, len(spans))
        if last < len(spans):
            commas = (place for place in range(last, first, -1) if plain[spans[place - 1][0]] in ",;")
            last = next(commas, last)
        part = spans[first:last]
        yield SplitSentence([text[start:end] for start, end in part], [start for start, _ in part])
        first = last
