"""Leads a browser to each state, and shows it there in every look: two widths, two themes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Error, Page

from tests.e2e.site import run_site
from tests.fakes.gemini import FakeGemini
from tests.screens.scene import Scene, Site
from tests.screens.state import State, see

WAIT = 15_000
LIVE_SITE = {"DJANGO_SETTINGS_MODULE": "tests.screens.settings"}


@dataclass(frozen=True, slots=True)
class Look:
    """A width in pixels and a theme. The address stays: only the window changes."""

    width: int
    theme: str

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}"


PHONE = 360
LOOKS = tuple(Look(width, theme) for width in (1280, PHONE) for theme in ("light", "dark"))


@dataclass(frozen=True, slots=True)
class Made:
    """A state whose rows are there. `login` is the cookie of the student who looks at it."""

    state: State
    path: str
    login: str


def make(states: Iterable[State], gemini: FakeGemini) -> list[Made]:
    """Make the rows of every state, each with a student of its own. Before any browser starts:
    Playwright keeps an event loop, beside which Django refuses the database."""
    return [make_one(state, gemini) for state in states]


def make_one(state: State, gemini: FakeGemini) -> Made:
    gemini.reset()
    scene = Scene(gemini)
    with scene.answered_by(state.site):
        path = state.make(scene)
    return Made(state, path, "" if state.is_visitor else log_in(scene.student))


def log_in(student: User) -> str:
    """A login's cookie, by a session row: the login page has states of its own."""
    client = Client()
    client.force_login(student)
    return client.cookies["sessionid"].value


@contextmanager
def run_sites(gemini: FakeGemini) -> Iterator[Callable[[Site], str]]:
    """The address of a site by who answers there; each starts when it is first asked for."""
    changes: dict[Site, dict[str, str]] = {
        "model": {**LIVE_SITE, "GEMINI_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": gemini.url},
        "rules": {"GEMINI_API_KEY": "", "GOOGLE_API_KEY": ""},
        "none": {**LIVE_SITE, "GEMINI_API_KEY": "", "GOOGLE_API_KEY": ""},
    }
    started: dict[Site, str] = {}
    with ExitStack() as running:

        def address(site: Site) -> str:
            if site not in started:
                started[site] = running.enter_context(run_site(**changes[site]))
            return started[site]

        yield address


class Visits:
    """One page of a browser, led from state to state; a visit leaves nothing behind for the next.

    The page is used again because a browser compiles what it has seen before much faster.
    """

    def __init__(self, browser: Browser, address: Callable[[Site], str]) -> None:
        self.address = address
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)

    def go(self, made: Made) -> Page:
        """The page in its state, wide and light."""
        url = self.address(made.state.site)
        self.context.clear_cookies()
        if made.login:
            self.context.add_cookies([{"name": "sessionid", "value": made.login, "url": url}])
        show(self.page, LOOKS[0])
        reach(self.page, url + made.path, made.state)
        return self.page


def reach(page: Page, url: str, state: State) -> None:
    try:
        answer = page.goto(url)
        if state.act:
            state.act(page)
        see(page, state.says)
    except Error as error:
        raise RuntimeError(f"The state {state.name} was not reached.") from error
    if answer is None or answer.status != state.status:
        raise RuntimeError(f"The state {state.name} answered {answer and answer.status}.")


def show(page: Page, look: Look) -> None:
    page.set_viewport_size({"width": look.width, "height": 740 if look.width == PHONE else 900})
    page.emulate_media(color_scheme=look.theme)
