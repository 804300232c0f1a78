"""What requests are read from, within the limits of size and time."""

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, AsyncIterator

from nerzoo.serving.refusal import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request


async def read_body(request: "Request", max_bytes: int) -> bytes:
    """Returns the body of a request. Raises `Refusal` as soon as it is seen to be too large, whatever it announces."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise _too_large(f"a body of {announced} bytes", max_bytes)
    body = bytearray()
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "found a part of a body, expected all of it")
        body += message.get("body", b"")
        if len(body) > max_bytes:
            raise _too_large(f"a body of more than {max_bytes} bytes", max_bytes)
        if not message.get("more_body", False):
            return bytes(body)


@asynccontextmanager
async def in_time(seconds: float, status: int, what: str) -> AsyncIterator[None]:
    """Raises `Refusal` with a status where the block takes longer; `what` is what was not there in time."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Refusal(status, f"found no {what} within {seconds:g} s, expected it to be there") from None


def _too_large(found: str, max_bytes: int) -> Refusal:
    return Refusal(413, f"found {found}, expected at most {max_bytes}")
