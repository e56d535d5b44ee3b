"""The page of judge health in the admin: figures over some days, to read and not to act on."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.utils import timezone

from judge.health import read_health
from judge.health_figures import Day, Health, Judge, add_up

PERIODS = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "All time"}
USUAL = "30"
NO_SUCH_PERIOD = "There is no such period, so these are the last 30 days."
BAR, GAP, HEIGHT = 10, 2, 100
ORDER = ("passed", "undecided", "failed")  # from the ground up


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a column of the chart, in its own units from the top left corner."""

    x: int
    y: str
    height: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Columns of runs a day (or a month), also of days without any; `most` is the highest."""

    bars: list[Bar]
    width: int
    most: int
    first: datetime.date
    last: datetime.date


def show_health(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """The page, for staff who may see check runs. `days` says how far back it looks."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(("GET", "HEAD"))
    asked = request.GET.get("days", USUAL)
    period = asked if asked in PERIODS else USUAL
    since = None if period == "all" else timezone.now() - datetime.timedelta(days=int(period))
    health = read_health(since)
    return TemplateResponse(
        request,
        "admin/judge/health.html",
        {
            **model_admin.admin_site.each_context(request),
            "title": "Judge health",
            "opts": model_admin.opts,
            "periods": PERIODS,
            "period": period,
            "problem": "" if asked == period else NO_SUCH_PERIOD,
            "health": health,
            "chart": draw_chart(health),
            **_list_tables(health),
        },
    )


def draw_chart(health: Health) -> Chart | None:
    """None where there is nothing to compare: fewer than two days with a run."""
    if len(health.days) < 2:
        return None
    first, last = health.days[0].day, health.days[-1].day
    most = max(day.runs for day in health.days)
    places = {day.day: _count_steps(first, day.day, health.by_month) for day in health.days}
    bars = [bar for day in health.days for bar in _stack(day, places[day.day], most)]
    return Chart(bars, (places[last] + 1) * (BAR + GAP), most, first, last)


def _count_steps(first: datetime.date, day: datetime.date, by_month: bool) -> int:
    if by_month:
        return 12 * (day.year - first.year) + day.month - first.month
    return (day - first).days


def _stack(day: Day, place: int, most: int) -> list[Bar]:
    bars, top = [], float(HEIGHT)
    for outcome in ORDER:
        height = HEIGHT * getattr(day, outcome) / most
        top -= height
        if height:
            bars.append(Bar(place * (BAR + GAP), f"{top:.2f}", f"{height:.2f}", outcome))
    return bars


def _list_tables(health: Health) -> dict[str, Any]:
    """Rows of (judge, figures), with the sum of all judges last where there are several."""
    return {name: _with_total(getattr(health, name)) for name in ("outcomes", "agreement", "flips")}


def _with_total(found: dict[Judge, Any]) -> list[tuple[Judge | None, Any]]:
    rows: list[tuple[Judge | None, Any]] = list(found.items())
    return [*rows, (None, add_up(found.values()))] if len(rows) > 1 else rows
