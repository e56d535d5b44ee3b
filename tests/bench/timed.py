"""The product as a server runs it, with the server's own time in a header of each answer.

The time is from the request's arrival in the application to the end of all work on it, also of
what Django does after the answer; the web server and the network are outside.
"""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from elivio.asgi import application as product

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """Hold the answer back until the product is done with it, then send it with its time."""
    held: list[Message] = []

    async def hold(message: Message) -> None:
        held.append(message)

    started = time.perf_counter()
    await product(scope, receive, hold)
    spent = f"app;dur={1000 * (time.perf_counter() - started):.4f}"
    for message in held:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"server-timing", spent.encode())]
        await send(message)
