from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Set, Union

from allennlp.common import FromParams
from allennlp.common.checks import ConfigurationError

from nerzoo.errors import format_error
from nerzoo.formats.corpus import Corpus
from nerzoo.formats.lines import AnyPath, read_lines
from nerzoo.text.annotation import Document, Sentence, ordered, split_into_characters


@dataclass
class MixturePart(FromParams):
    """
    A corpus of a mixture.

    # Parameters

    corpus : `Corpus`
        The format of its files.
    files : `str`
        The path of a file inside the folder of the mixture, in which `*` stands for the name of the part of the data:
        `btc/*.txt.gz`. A dictionary gives the path of each part, where the names do not follow a pattern; a part that
        it lacks is not read.
    labels : `Dict[str, str]`, optional
        The label of the mixture for each label of the corpus. Entities of other labels are left out. By default all
        labels stay.
    ignored : `Union[str, List[str]]`, optional
        Texts, in any case, that are no entity here, as a list, or as a file in the folder with one a line.
    ignored_after : `str`, optional
        A word, such as `@`, that no entity may begin after.
    characters : `bool`, optional (default = `False`)
        Whether each character is a word, as in raw text of a language that writes no spaces.
    """

    corpus: Corpus
    files: Union[str, Dict[str, str]]
    labels: Optional[Dict[str, str]] = None
    ignored: Union[None, str, List[str]] = None
    ignored_after: Optional[str] = None
    characters: bool = False

    def path(self, folder: Path, part: str) -> Optional[Path]:
        """Returns the path of a part of the data, `None` where the corpus has no such part."""
        files = self.files.replace("*", part) if isinstance(self.files, str) else self.files.get(part)
        return None if files is None else folder / files

    def ignored_texts(self, folder: Path) -> List[str]:
        """Returns the texts that are no entity, in lower case."""
        lines = [line.text for line in read_lines(folder / self.ignored)] if isinstance(self.ignored, str) else None
        return [text.casefold() for text in (self.ignored or [] if lines is None else lines)]


@Corpus.register("mixture")
class MixtureCorpus(Corpus):
    """
    Several corpora with one set of labels, read one after another: `read("FOLDER/train")` reads the part `train` of
    each of them in the folder: words and entities, since not all have more. Ids of documents begin with the name of
    their corpus. Counts the entities that are left out. Raises `ConfigurationError` where no corpus has the part.

    # Parameters

    parts : `Dict[str, MixturePart]`
        The corpora by name.
    partial : `bool`, optional (default = `False`)
        Whether a corpus says nothing of entities of the types of others, so that its words outside its own entities may
        be theirs. Models then choose among the types of a sentence's corpus alone, in training and in evaluation. All
        corpora need `labels`, whose values are their types.

    # Raises

    `ConfigurationError` where a corpus lacks `labels` that `partial` needs.
    """

    def __init__(self, parts: Dict[str, MixturePart], partial: bool = False) -> None:
        for name, mixed in parts.items():
            if partial and mixed.labels is None:
                found = f"found the corpus {name} without labels"
                raise ConfigurationError(f"{found}, expected them, since the mixture is partial")
        self._parts = parts
        self._partial = partial

    def _documents(self, path: AnyPath, counts: Counter) -> Iterator[Document]:
        folder, part = Path(path).parent, Path(path).name
        files = {name: mixed.path(folder, part) for name, mixed in self._parts.items()}
        if not any(files.values()):
            raise format_error(
                path, f"no corpus with the part {part!r}", "the folder of a mixture and one of its parts"
            )
        for name, file in files.items():
            if file is not None:
                mixed = self._parts[name]
                ignored = {*mixed.ignored_texts(folder)}
                for document in mixed.corpus.read(file):
                    sentences = [self._mapped(sentence, mixed, ignored, counts) for sentence in document.sentences]
                    yield Document(name if document.id is None else f"{name}:{document.id}", sentences)

    def _mapped(self, sentence: Sentence, mixed: MixturePart, ignored: Set[str], counts: Counter) -> Sentence:
        """Returns the words of a sentence and its entities, with the labels of the mixture."""
        kept = []
        for entity in sentence.entities:
            label = entity.label if mixed.labels is None else mixed.labels.get(entity.label)
            text = " ".join(sentence.words[entity.start : entity.end]).casefold()
            before = sentence.words[entity.start - 1] if entity.start else None
            if label is None or text in ignored or (before is not None and before == mixed.ignored_after):
                counts["entities that are none here"] += 1
            else:
                kept.append(entity._replace(label=label))
        types = sorted({*mixed.labels.values()}) if self._partial and mixed.labels else None
        # Two labels of one span may be one label here.
        entities = ordered(kept)
        mapped = Sentence(
            sentence.words, entities=entities, space_after=sentence.space_after, id=sentence.id, annotated_types=types
        )
        return split_into_characters(mapped)[0] if mixed.characters else mapped
