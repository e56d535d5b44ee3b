"""What a state is: how its rows are made, who answers there, and what is done on the page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.screens.scene import Scene, Site

Make = Callable[[Scene], str]
Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class State:
    """`make` makes the rows and gives the path of the page; `act` leads from there to the state,
    which is known by the words that it `says`.

    `status` is what the page's address answers. A visitor is not logged in.
    """

    name: str
    make: Make
    says: str
    site: Site = "model"
    act: Act | None = None
    status: int = 200
    is_visitor: bool = False


def table() -> tuple[list[State], Callable[..., Callable[[Make], Make]]]:
    """An empty table, and the decorator that adds a state to it, named after its function."""
    states: list[State] = []

    def state(says: str, **facts: Any) -> Callable[[Make], Make]:
        def add(make: Make) -> Make:
            states.append(State(make.__name__.replace("_", "-"), make, says, **facts))
            return make

        return add

    return states, state


def see(page: Page, words: str) -> None:
    """Wait for words on the page; the live region, which repeats some, stands after them."""
    page.get_by_text(words).first.wait_for()
