# Two commands do it all: `make demo` shows the product at work, `make test` runs the tests.
# Both make .venv first, from constraints.txt, so that a fresh install is the same next year.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt
# Half of a test's time may be waiting, for a disk or a program that it has started: three workers for two cores.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 3 / 2)
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help install install-dev install-all demo test check lock clean

help:  ## Show what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

install: $(VENV)/.installed  ## Make .venv with what the programs need (no torch)

install-dev: $(VENV)/.installed-dev  ## Add what tests and checks need (no torch)

install-all: $(VENV)/.installed-all  ## Add torch, the converter of models, OpenVINO and pandoc

demo: $(VENV)/.installed-demo  ## Index an invented company's drive and ask the bot in an emulated Slack
	$(BIN)/python -m demo.run

test: $(VENV)/.installed-dev  ## Run the tests; what needs torch or pandoc is left out where it is not installed
	$(PYTEST)

check: $(VENV)/.installed-all  ## Format, lint, architecture, types, all tests with branch coverage: what CI runs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/pyright
	$(PYTEST) --all-extras --cov --cov-report=term:skip-covered

lock: $(VENV)/.installed-all  ## Write the versions that are installed now to constraints.txt
	$(BIN)/pip freeze --exclude-editable | sed -E 's/\+cpu$$//' > constraints.txt

clean:  ## Remove all that was made here
	rm -rf $(VENV) demo/drive demo/state .coverage .pytest_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Footnote needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	touch $@

$(VENV)/.installed-demo: $(VENV)/.installed
	$(PIP) -e '.[demo]'
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) -e '.[dev]'
	touch $@

$(VENV)/.installed-all: $(VENV)/.installed-dev
	$(PIP) -e '.[torch,convert,openvino,documents]'
	touch $@
