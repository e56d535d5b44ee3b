"""Hostile pictures posted to a real web process: each refused with a reason, its memory flat."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.contrib.auth.models import User
from PIL import Image

from sessions.lifecycle import open_session
from sessions.models import CopilotSession
from tests import factories
from tests.e2e.site import Client, run_process
from tests.sessions.hostile_images import HOSTILE, build, encode

REFUSED = [name for name, (_, status) in HOSTILE.items() if status]
TAKEN = [name for name, (_, status) in HOSTILE.items() if status is None]
MIB = 1024 * 1024
MOST_GROWTH = 64
# Linux says how much memory a process held at most, and forgets it when it is told to.
HAS_PEAK = Path("/proc/self/clear_refs").exists()


@dataclass
class Memory:
    """The memory of a process since `start`, in MiB."""

    pid: int
    before: float = 0.0

    def start(self) -> None:
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")
        self.before = self.read("VmRSS")

    @property
    def peak_growth(self) -> float:
        return self.read("VmHWM") - self.before

    @property
    def own(self) -> float:
        """What would be free again without the process."""
        return psutil.Process(self.pid).memory_full_info().uss / MIB

    def read(self, name: str) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{name}:")[1].split()[0]) / 1024


@dataclass
class Poster:
    """A student at the web process, with an open session."""

    client: Client
    session: CopilotSession
    memory: Memory

    def post(self, data: bytes) -> tuple[int, Any]:
        return self.client.upload(f"sessions/{self.session.pk}/frames", "image", data)


@pytest.fixture
def poster(transactional_db: None, student: User) -> Iterator[Poster]:
    action = factories.make_action(factories.make_plan(student))
    session = open_session(action, student)
    with run_process(GEMINI_API_KEY="") as (url, process):
        client = Client(url).log_in(student.email, factories.PASSWORD)
        poster = Poster(client, session, Memory(process.pid))
        screen = Image.effect_noise((1600, 900), 60).convert("RGB")
        for form in ("PNG", "JPEG", "WEBP"):  # each decoder is loaded with its first picture
            assert poster.post(encode(screen, form))[0] == 201
        yield poster


@pytest.mark.skipif(not HAS_PEAK, reason="Only Linux says what a process held at most.")
def test_each_is_refused_with_a_reason_and_memory_stays_flat(poster: Poster) -> None:
    assert len(REFUSED) >= 30
    for name in REFUSED:
        build(name)  # here, and not while the other process is measured
    own = poster.memory.own
    poster.memory.start()
    answers = {name: poster.post(build(name)) for name in REFUSED}
    grown, kept = poster.memory.peak_growth, poster.memory.own - own
    print(f"{len(REFUSED)} hostile pictures: peak +{grown:.1f} MiB, kept +{kept:.1f} MiB")  # noqa: T201
    for name, (status, answer) in answers.items():
        assert (status, answer["code"]) == (HOSTILE[name][1], "image_refused"), name
        assert answer["detail"].endswith(".") and " " in answer["detail"], name
    assert grown < MOST_GROWTH and kept < MOST_GROWTH


@pytest.mark.skipif(not HAS_PEAK, reason="Only Linux says what a process held at most.")
def test_control_the_measure_sees_a_large_picture(poster: Poster) -> None:
    """An honest one of the largest size costs more than all that are refused may."""
    large = encode(Image.new("RGBA", (4000, 2500), (0, 90, 90, 200)), "PNG", compress_level=1)
    poster.memory.start()
    assert poster.post(large)[0] == 201
    assert poster.memory.peak_growth > MOST_GROWTH


def test_odd_but_harmless_ones_are_taken_and_the_process_goes_on(poster: Poster) -> None:
    assert {name: poster.post(build(name))[0] for name in TAKEN} == dict.fromkeys(TAKEN, 201)
    assert poster.client.call("GET", f"sessions/{poster.session.pk}")[0] == 200
