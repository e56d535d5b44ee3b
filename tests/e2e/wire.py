"""A wire between a browser and a web process that a test can cut and mend."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Passes connections on to `url`; the browser goes to the wire's own `url`."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._target = (place.hostname, place.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """Break off every connection, and refuse new ones."""
        self._is_cut = True
        for end in list(self._open):
            hang_up(end)

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        hang_up(self._listener)

    def run(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:  # The wire was closed.
                return
            if self._is_cut:
                hang_up(near)
                continue
            far = socket.create_connection(self._target)
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass  # One of the ends is gone, and the other goes with it.
        for end in (one, other):
            self._open.discard(end)
            hang_up(end)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):  # It was closed from the other side.
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def run_wire(url: str) -> Iterator[Wire]:
    wire = Wire(url)
    threading.Thread(target=wire.run, daemon=True).start()
    yield wire
    wire.close()
