"""The documentation tells the truth: its script runs, its SQL works, its lists are complete."""

import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from packaging.requirements import Requirement

from plans.models import Action, Completion
from tests.e2e.site import database_url, environment, run_site

ROOT: Path = settings.BASE_DIR
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
APPS = ("elivio", "plans", "judge", "sessions")
NO_MODEL = {"GEMINI_API_KEY": "", "GOOGLE_API_KEY": ""}


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, language=""):
    """The fenced blocks of a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)


def run_first_task(url):
    command = [sys.executable, str(ROOT / "docs/first_task.py"), url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def seeded(transactional_db):
    """The demo as `make run` makes it, by a process of its own."""
    command = [sys.executable, "manage.py", "seed_demo"]
    subprocess.run(command, cwd=ROOT, env=environment(**NO_MODEL), check=True, timeout=120)


def test_the_first_task_goes_as_the_readme_shows(seeded):
    with run_site(**NO_MODEL) as url:
        first, second = run_first_task(url), run_first_task(url)
    [shown] = blocks("README.md")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == shown
    completion = Completion.objects.get(action__title="Set up the sign-out sheet")
    assert (completion.how, completion.judge_kind) == ("checked", "rules")
    assert second.returncode == 1
    assert "done already" in second.stderr


@pytest.fixture
def superuser(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if not cursor.fetchone()[0]:
            pytest.skip("The database login of this test run is no superuser.")


@pytest.fixture
def app_role(seeded, superuser):
    """The address of the test database for the role of docs/production.md. Roles belong to the
    whole server, so it goes again afterwards."""
    with connection.cursor() as cursor:
        _, grants = blocks("docs/production.md", "sql")
        cursor.execute("CREATE ROLE elivio_app LOGIN")
        try:
            cursor.execute(grants)
            _, at, rest = database_url().partition("@")
            yield f"postgresql://elivio_app{at}{rest}"
        finally:
            cursor.execute("DROP OWNED BY elivio_app; DROP ROLE elivio_app")


FORBIDDEN = [
    "TRUNCATE plans_completion CASCADE",
    "TRUNCATE judge_checkrun CASCADE",
    "ALTER TABLE plans_completion DISABLE TRIGGER ALL",
    "ALTER TABLE plans_action DROP CONSTRAINT completed_needs_completion",
    "DROP TRIGGER completion_unchanged ON plans_completion",
    "DROP FUNCTION plans_all_met(jsonb) CASCADE",
    "SET session_replication_role = replica",
    "UPDATE plans_completion SET checklist = checklist",
    "DELETE FROM judge_checkrun WHERE false",
    "UPDATE plans_reopening SET reason = reason",
    "UPDATE judge_rowdecision SET is_met = true",
    "DELETE FROM plans_actionedit WHERE false",
    "INSERT INTO plans_erasure SELECT * FROM plans_erasure",
    "DELETE FROM django_migrations",
]


def test_the_application_role_can_do_the_job_and_nothing_to_the_gate(app_role):
    with run_site(DATABASE_URL=app_role, **NO_MODEL) as url:
        assert run_first_task(url).returncode == 0
    assert Action.objects.get(title="Set up the sign-out sheet").status == "completed"
    with psycopg.connect(app_role, autocommit=True) as app:
        for statement in FORBIDDEN:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement)


@pytest.mark.django_db
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_control_the_owner_could(superuser, statement):
    """Each statement is a right one, and no trigger stops it: only the missing right does."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def read_names(page, heading):
    """The code-marked names in the first column of the table under a heading."""
    part = read(page).split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_environment_variable_is_listed():
    call = re.compile(r"env\.(?:text|flag|integer|number|items|mapping)\(\s*f?\"([^\"]+)\"")
    files = [ROOT / "manage.py", *(path for app in APPS for path in (ROOT / app).rglob("*.py"))]
    found = {name for path in files for name in call.findall(path.read_text("utf-8"))}
    found = {name.replace("{role.upper()}", "<ROLE>") for name in found}
    assert len(found) > 20
    assert set(read_names("docs/production.md", "Environment")) == found


def test_every_direct_dependency_is_justified():
    direct = []
    for page in ("requirements.txt", "requirements-dev.txt"):
        part = read(page).split("# Direct\n")[1].split("\n\n")[0]
        direct += [Requirement(line).name for line in part.splitlines()]
    listed = read_names("docs/dependencies.md", "To run")
    listed += read_names("docs/dependencies.md", "To test and lint")
    assert [name.lower() for name in listed] == [name.lower() for name in direct]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page):
    """A path in code marks that starts with a folder of the project is one that is there."""
    folders = "|".join((*APPS, "docs", "tests", "templates", "static"))
    for path in re.findall(rf"`((?:{folders})/[\w./]+)`", page.read_text("utf-8")):
        assert (ROOT / path).exists(), path


def test_every_decision_is_numbered_once_and_says_when_to_revisit():
    pages = sorted((ROOT / "docs/adr").glob("*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        text = page.read_text("utf-8")
        assert text.startswith(f"# {page.name[:4]}: "), page.name
        for heading in ("Context", "Decision", "Consequences", "Revisit when"):
            assert f"\n## {heading}\n" in text, (page.name, heading)
