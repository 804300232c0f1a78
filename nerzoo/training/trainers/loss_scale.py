from typing import Any, Dict, Optional

import torch
from allennlp.training import TrainerCallback


class LossScale(TrainerCallback):
    """
    Keeps in checkpoints the scale of losses in mixed precision, which AllenNLP's own lack: a resumed run would begin
    with the first one again, and leave out steps until it has found the right one.
    """

    def __init__(self, serialization_dir: str, scaler: Optional[torch.amp.GradScaler]) -> None:
        super().__init__(serialization_dir)
        self._scaler = scaler

    def state_dict(self) -> Dict[str, Any]:
        return {} if self._scaler is None else self._scaler.state_dict()

    def load_state_dict(self, state_dict: Dict[str, Any]) -> None:
        if self._scaler is not None and state_dict:
            self._scaler.load_state_dict(state_dict)
