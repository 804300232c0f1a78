from contextlib import nullcontext
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from nerzoo.data.word_vector_files import reading_word_vectors
from nerzoo.files import folder_written_whole


# AllenNLP's own (data/vocabulary.py, save_to_files and _read_pretrained_tokens) writes file after file in place, and
# does not say which file of word vectors cannot be read.
@Vocabulary.register("from_instances", constructor="from_instances", exist_ok=True)
@Vocabulary.register("from_files", constructor="from_files", exist_ok=True)
@Vocabulary.register("extend", constructor="from_files_and_instances", exist_ok=True)
class WholeVocabulary(Vocabulary):
    """
    AllenNLP's vocabulary, whose parameters it has. Its folder is written whole or not at all. Raises
    `ConfigurationError` where a file of word vectors cannot be read, or `max_vocab_size` is below 1.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        sizes = kwargs.get("max_vocab_size")
        for size in sizes.values() if isinstance(sizes, dict) else [sizes]:
            # AllenNLP takes 0 for no limit, and leaves out the last words for a negative number.
            if size is not None and size < 1:
                raise ConfigurationError(f"found max_vocab_size = {sizes}, expected at least 1, or null for no limit")
        paths = (kwargs.get("pretrained_files") or {}).values()
        with reading_word_vectors(" or ".join(paths)) if paths else nullcontext():
            super().__init__(*args, **kwargs)

    def save_to_files(self, directory: str) -> None:
        """Writes the vocabulary, a file a namespace."""
        with folder_written_whole(directory) as unfinished:
            super().save_to_files(str(unfinished))
