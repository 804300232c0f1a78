from itertools import islice
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from nerzoo.errors import check_range
from nerzoo.models.heads.tag_head import Metadata
from nerzoo.models.sequence_tagger import TaggingModel
from nerzoo.modules.seq2seq_encoders.memory import sentence_mask, split_documents


@Model.register("memory_tagger")
class MemoryTagger(TaggingModel):
    """
    Tags the sentences of a document with the whole document in view: the memory-enhanced CRF of Liu, Baldwin and Cohn
    (2017), section 5. The encoder, a `MemoryEncoder` or any other, reads the document; the head tags each sentence. A
    head with the distribution `softmax` makes the paper's MEMNET, equation 13. Instances come from the reader
    `tagged_documents`.

    # Parameters

    num_attended : `int`, optional (default = `5`)
        The number of memory slots that predictions show for each word, with the extra output `"attention"`: the slots
        with the most weight in the last hop, as in the paper's Table 3. Below one it raises `ConfigurationError`.
    **kwargs
        As in `TaggingModel`, with its errors; the encoder has attention only if it has a hop to a memory.
    """

    default_predictor = "document_ner"

    def __init__(self, num_attended: int = 5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        check_range("num_attended", num_attended, 1)
        self._num_attended = num_attended

    def tag(
        self, encoded: torch.Tensor, mask: torch.BoolTensor, tags: Optional[torch.Tensor] = None, **fields: torch.Tensor
    ) -> Dict[str, Any]:
        """
        Tags the sentences of encoded documents. Parameters and outputs are those of `TaggingModel`, but the outputs of
        the head are those of B * N sentences, some of which may be nothing but padding. `fields` have `sentences`,
        shape (B, N, L), the positions in the document of the words of each of up to N sentences, -1 at padding.
        """
        if "sentences" not in fields:
            raise ConfigurationError(
                "memory_tagger tags the sentences of documents, found instances without sentences, expected the reader "
                "tagged_documents"
            )
        sentences = fields["sentences"]
        gold_tags = None if tags is None else split_documents(tags, sentences)
        if "annotated" in fields:
            fields["annotated"] = fields["annotated"].repeat_interleave(sentences.size(1), dim=0)
        return super().tag(split_documents(encoded, sentences), sentence_mask(sentences), gold_tags, **fields)

    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """
        Describes each document by its `doc_id` and its `sentences`, each of which has what the head describes, see
        `TagHead`, and the outputs asked for. `attention` is a list for each word, of dictionaries of `position` and
        `word` in the document, both `None` for the null memory, and `weight`.
        """
        metadata = output_dict["metadata"]
        sentences = [sentence for document in metadata for sentence in document["sentences"]]
        # The metadata say which rows are no padding, so that nothing waits for a GPU.
        num_rows = len(output_dict["mask"]) // len(metadata)
        sentence_rows = torch.tensor(
            [
                number * num_rows + row
                for number, document in enumerate(metadata)
                for row in range(len(document["sentences"]))
            ],
            device=output_dict["mask"].device,
        )
        outputs = {
            name: rows[sentence_rows]
            for name, rows in output_dict.items()
            if isinstance(rows, torch.Tensor) and rows.dim() > 0
        }
        columns = self.head.make_output_human_readable(outputs, sentences, self.extra_outputs)
        columns |= self._syntax(sentences)
        for name, rows in output_dict.get("shown", {}).items():
            word_outputs = self._attended(rows, metadata) if name == "attention" else rows.tolist()
            columns[name] = list(_by_sentence(word_outputs, metadata))
        described = iter([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
        return {
            "doc_id": [document["document_id"] for document in metadata],
            "sentences": [[next(described) for _ in document["sentences"]] for document in metadata],
        }

    def _has_attention(self) -> bool:
        return super()._has_attention() and getattr(self.encoder, "num_hops", 0) > 0

    def _attended(self, attention: torch.Tensor, metadata: Metadata) -> Iterator[List[List[Dict[str, Any]]]]:
        """Describes, for each word of each document, the slots with the most weight."""
        encoder: Any = self.encoder
        positions: List[Optional[int]] = encoder.slot_positions(attention.shape[1])
        weights, slots = attention.topk(min(self._num_attended, len(positions)))
        for document, *rows in zip(metadata, slots.tolist(), weights.tolist(), strict=True):
            words = [word for sentence in document["sentences"] for word in sentence["words"]]
            yield [
                [
                    {"position": position, "word": None if position is None else words[position], "weight": weight}
                    for position, weight in zip(map(positions.__getitem__, word_slots), word_weights, strict=True)
                    if weight > 0
                ]
                for word_slots, word_weights in zip(*rows, strict=True)
            ]


def _by_sentence(documents: Iterable[Sequence[Any]], metadata: Metadata) -> Iterator[List[Any]]:
    """Splits the elements of all words of each document into those of each sentence; padding is left over."""
    for elements, document in zip(documents, metadata, strict=True):
        rest = iter(elements)
        for sentence in document["sentences"]:
            yield list(islice(rest, len(sentence["words"])))
