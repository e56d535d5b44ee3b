# The commands of this project. Each sets up .venv first and again only when the pins change.

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
INSTALL := umask 022 && $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint bench fmt screens pictures clean-data

run: $(VENV)/installed
	@$(BIN)/python -m elivio.run

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup $(ARGS)

lint: $(VENV)/installed-dev
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/lint-imports
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run

# On a quiet machine: the figures go to docs/benchmarks.md.
bench: $(VENV)/installed
	$(BIN)/python -m tests.bench

fmt: $(VENV)/installed-dev
	$(BIN)/python -m ruff check --fix
	$(BIN)/python -m ruff format

# Every page and state as pictures, to look at; ARGS="session home" takes those alone.
screens: $(VENV)/installed-dev
	$(BIN)/python -m tests.screens .screens $(ARGS)

# The pictures of the README, from the demo data.
pictures: $(VENV)/installed-dev
	$(BIN)/python -m tests.screens.pictures docs/pictures

# Forget the embedded database and Valkey; stop `make run` first.
clean-data:
	rm -rf .data

$(VENV)/installed: requirements.txt | $(BIN)/python
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Elivio needs Python 3.11 or newer. Name one, for example: make run PYTHON=python3.12"; \
		exit 1; } >&2
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
		echo "The Python environment could not be made. On Debian and Ubuntu: apt install python3-venv"; \
		exit 1; } >&2
