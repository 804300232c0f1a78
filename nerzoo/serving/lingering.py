import asyncio
from contextlib import suppress

from nerzoo.serving.asgi import Message, Receive, Send

UNREAD = (401, 408, 413, 429)
"""Statuses of answers that may come before the body of the request has been read."""

SECONDS = 2.0
"""For a client to read such an answer."""


class Lingering:
    """
    A request whose connection ends where it is refused before its body has been read: not at once, or else the client,
    which still sends, would not learn why. What it sends meanwhile is thrown away.

    # Parameters

    receive : `Callable`
    send : `Callable`
        The channels of ASGI.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._is_read = False
        self._is_refused = False

    async def receive(self) -> Message:
        """Receives as the channel does."""
        message = await self._receive()
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Sends as the channel does."""
        if message["type"] == "http.response.start":
            self._is_refused = message["status"] in UNREAD and not self._is_read
            if self._is_refused:
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            await self._send(message)
        elif self._is_refused and not message.get("more_body", False):
            await self._send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS):
                    while not self._is_read:
                        await self.receive()
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await self._send(message)
