# `make demo` and `make test` are all that a fresh machine needs: Python 3.11 or newer, make, and the package registries.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO ?= demo-workspace

unexport PYTHONDONTWRITEBYTECODE
export UV_COMPILE_BYTECODE = 1

.PHONY: demo test check bench chaos conformance clean lock browser

$(VENV)/.installed: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "JobCtrl needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# See a whole search on invented postings, in $(DEMO).
demo: $(VENV)/.installed
	@$(BIN)/jobctrl --workspace $(DEMO) demo

# Everything that continuous integration runs.
test: check browser
	$(BIN)/python -m pytest -n 2 --dist loadfile
	$(BIN)/python -m tests.conformance

# The quick part: format, types, imports, notebooks, and the tests that need no server and no browser.
check: $(VENV)/.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/marimo check notebooks/*.py

# Chromium for the desks' tests: $$CHROMIUM, the path, Playwright's own, or Debian's package when root.
browser: $(VENV)/.installed
	@sh tests/browser.sh $(BIN)/python

bench: $(VENV)/.installed
	$(BIN)/python -m bench

# Kill, fill, cut off and restart everything on purpose, and show that nothing is lost or done twice: half an hour.
chaos: $(VENV)/.installed
	$(BIN)/python -m tests.acceptance.chaos

conformance: $(VENV)/.installed
	$(BIN)/python -m tests.conformance --markdown docs/conformance.md

# Make the lock anew; it names no package host.
lock:
	$(BIN)/uv pip compile pyproject.toml --group dev --python-version 3.11 --universal \
	  --no-emit-index-url --no-header --no-annotate --generate-hashes --quiet --output-file requirements.lock

clean:
	rm -rf $(DEMO) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info
	find jobctrl tests notebooks bench -name __pycache__ -type d -exec rm -rf {} +
