"""`make screens`: a picture of every page and state in every look, and one sheet with all of them.

python -m tests.screens FOLDER [part of a state's name ...]
"""

import sys
import time
from importlib import import_module
from pathlib import Path

from tests.e2e.browser import require_chromium
from tests.screens.product import throwaway_product


def main(arguments: list[str]) -> None:
    require_chromium()
    folder, parts = Path(arguments[0]), arguments[1:]
    started = time.monotonic()
    with throwaway_product():
        # Models can be imported only now that Django is set up.
        count = import_module("tests.screens.shooting").shoot_all(folder, parts)
    seconds = time.monotonic() - started
    sys.stdout.write(f"{count} pictures in {seconds:.0f} s: {folder.resolve()}/index.html\n")


if __name__ == "__main__":
    main(sys.argv[1:])
