"""
A callback that records the training instances of a process. `--include-package helpers.seen_sentences` registers it.
"""

import json
from pathlib import Path

import torch
from allennlp.training import TrainerCallback


@TrainerCallback.register("seen_sentences")
class SeenSentences(TrainerCallback):
    """Writes the metadata of the instances of each epoch as a line into the file `seen-RANK.jsonl` of the run."""

    def on_start(self, trainer, is_primary=True, **kwargs):
        super().on_start(trainer, is_primary, **kwargs)
        self._seen = []

    def on_batch(self, trainer, batch_inputs, *args, is_training, **kwargs):
        if is_training:
            self._seen += [str(field.metadata) for batch in batch_inputs for field in batch["metadata"]]

    def on_epoch(self, trainer, *args, **kwargs):
        with Path(self.serialization_dir, f"seen-{torch.distributed.get_rank()}.jsonl").open("a") as file:
            file.write(json.dumps(self._seen) + "\n")
        self._seen = []
