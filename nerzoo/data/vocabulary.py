from contextlib import contextmanager
from typing import Any, Dict, Iterable, Iterator, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary

from nerzoo import archives
from nerzoo.allennlp_private import token_counts
from nerzoo.archives.exported import TAG_NAMESPACES
from nerzoo.errors import format_error
from nerzoo.files import folder_written_whole
from nerzoo.formats.lines import UNREADABLE
from nerzoo.formats.word_vectors import word_list


@contextmanager
def reading_word_vectors(path: object) -> Iterator[None]:
    """Raises `ConfigurationError`, without the contents of the file, where AllenNLP cannot read word vectors."""
    try:
        yield
    except FileNotFoundError:
        raise format_error(path, "no such file", "word vectors") from None
    # AllenNLP asks for a first line.
    except StopIteration:
        raise format_error(path, "nothing", "word vectors") from None
    except UNREADABLE as error:
        found = f"word vectors that cannot be read ({type(error).__name__})"
        raise format_error(path, found, "a word and its numbers in each line, in UTF-8, plain or compressed") from None


def word_counts(vocab: Vocabulary, namespace: str) -> torch.Tensor:
    """
    Returns the count of each word of a vocabulary, by index, in the data that it was made from; all zero if it was read
    from files. Words outside the vocabulary count as the unknown word.
    """
    found = token_counts(vocab, namespace)
    counts = torch.zeros(vocab.get_vocab_size(namespace), dtype=torch.long)
    indices = torch.tensor([vocab.get_token_index(word, namespace) for word in found], dtype=torch.long)
    return counts.index_add_(0, indices, torch.tensor(list(found.values()), dtype=torch.long))


# AllenNLP's own (data/vocabulary.py, save_to_files and _read_pretrained_tokens) writes file after file in place, and
# does not name the file of word vectors that cannot be read.
@Vocabulary.register("from_instances", constructor="from_instances", exist_ok=True)
@Vocabulary.register("from_files", constructor="from_files", exist_ok=True)
@Vocabulary.register("from_archive", constructor="from_archive_and_instances")
@Vocabulary.register("extend", constructor="from_files_and_instances", exist_ok=True)
class WholeVocabulary(Vocabulary):
    """
    AllenNLP's vocabulary, with the same parameters. Its folder is written whole or not at all. Raises
    `ConfigurationError` where a file of word vectors cannot be read, or `max_vocab_size` is below 1.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        sizes = kwargs.get("max_vocab_size")
        for size in sizes.values() if isinstance(sizes, dict) else [sizes]:
            # AllenNLP takes 0 for no limit, and leaves out the last words for a negative number.
            if size is not None and size < 1:
                raise ConfigurationError(f"found max_vocab_size = {sizes}, expected at least 1, or null for no limit")
        files = kwargs.get("pretrained_files")
        if not files:
            super().__init__(*args, **kwargs)
            return
        with reading_word_vectors(" or ".join(files.values())):
            lists = {namespace: word_list(path) for namespace, path in files.items()}
            super().__init__(*args, **{**kwargs, "pretrained_files": lists})

    @classmethod
    def from_archive_and_instances(
        cls, instances: Iterable[Instance], archive: str, min_count: Optional[Dict[str, int]] = None
    ) -> "Vocabulary":
        """
        Returns the vocabulary of an archive without its tags, extended by that of instances: the words and characters
        of the archive keep their indices. `min_count` is that of further words, by namespace.
        """
        with archives.unpacked(archive) as folder:
            for namespace in TAG_NAMESPACES:
                (folder / f"vocabulary/{namespace}.txt").unlink(missing_ok=True)
            return cls.from_files_and_instances(instances, f"{folder}/vocabulary", min_count=min_count)

    def save_to_files(self, directory: str) -> None:
        """Writes the vocabulary, one file per namespace."""
        with folder_written_whole(directory) as unfinished:
            super().save_to_files(str(unfinished))
