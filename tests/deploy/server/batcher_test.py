import asyncio

import pytest

from nerzoo.deploy.server import batcher
from nerzoo.deploy.server.batcher import Batcher
from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.requests import Refusal

# It has five tokens but four words: the limit of words does not refuse as many of these.
ITEM = {"sentence": "Mara lived in Calder."}


def test_the_limit_of_tokens_holds_for_all_items_of_a_request_together(tagger):
    # More items than are read at a time.
    items = [ITEM] * (batcher._FEW + 8)
    num_tokens = 5 * len(items)
    assert len(asyncio.run(Batcher(tagger, Limits(tokens=num_tokens)).read(items))) == len(items)
    message = f"found {num_tokens} tokens in the first {len(items)} items, expected at most {num_tokens - 1} in a"
    with pytest.raises(Refusal, match=message):
        asyncio.run(Batcher(tagger, Limits(tokens=num_tokens - 1)).read(items))
