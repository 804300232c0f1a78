from allennlp.modules import Seq2SeqEncoder


class AttentionEncoder(Seq2SeqEncoder):
    """
    A `Seq2SeqEncoder` that weights words and leaves their size as it is. Its method `attention` returns the weights.

    # Parameters

    input_size : `int`
        D, the size of the inputs and of the outputs.
    """

    def __init__(self, input_size: int) -> None:
        super().__init__()
        self.input_size = input_size

    def get_input_dim(self) -> int:
        return self.input_size

    def get_output_dim(self) -> int:
        return self.input_size

    def is_bidirectional(self) -> bool:
        return False
