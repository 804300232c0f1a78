from typing import NamedTuple

from nerzoo.text.token_batches import BATCH_TOKENS


class Limits(NamedTuple):
    """
    How much a server takes at a time.

    # Parameters

    body : `int`
        Bytes of the body of a request.
    items : `int`
        Items of a request.
    tokens : `int`
        Tokens of all items of a request, those in very long words counted several times.
    requests : `int`
        Requests that are being answered.
    seconds : `float`
        For the answer to a request; of one that is streamed, for each portion.
    batch_tokens : `int`
        Tokens that are predicted at a time.
    wait : `float`
        Seconds that the first item of a batch waits for others.
    """

    body: int = 1_000_000
    items: int = 1000
    tokens: int = 100_000
    requests: int = 256
    seconds: float = 30.0
    batch_tokens: int = BATCH_TOKENS
    wait: float = 0.005
