"""Where the embedded servers live; it computes paths and must not touch the disk."""

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

from elivio import env

CHECKOUT = Path(__file__).resolve().parents[2]
DATABASE = "elivio"
SOCKET_PATH_LIMIT = 103  # bytes: 103 on macOS, 107 on Linux


def data_dir() -> Path:
    """Return the folder that holds the embedded servers' data, kept between runs."""
    chosen = env.text("ELIVIO_DATA_DIR")
    return Path(chosen).expanduser().resolve() if chosen else CHECKOUT / ".data"


def socket_dir(data: Path) -> Path:
    """Return the folder of the sockets: inside the data folder, or a short one for a deep checkout.

    The short one is in /tmp and not in $TMPDIR, which differs between shells of one user. It also
    serves a path with a comma, which separates hosts in a PostgreSQL address.
    """
    inside = data / "sockets"
    fits = len(os.fsencode(inside / ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT
    if fits and "," not in str(inside):
        return inside
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path("/tmp") / f"elivio-{os.getuid()}-{digest}"


def database_url(data: Path, database: str = DATABASE) -> str:
    return f"postgresql://postgres@/{database}?host={quote(str(socket_dir(data)), safe='/')}"


def valkey_socket(data: Path) -> Path:
    return socket_dir(data) / "valkey.sock"


def redis_url(data: Path) -> str:
    return f"unix://{quote(str(valkey_socket(data)), safe='/')}"
