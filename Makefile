# make            from a fresh clone to the browser: sets up .venv and starts `spadille serve`
# make test       lint, types and the quick tests: five minutes on two cores
#                   unmarked    all of them
#                   browser     in Chromium: one test for each page and journey (`smoke`)
#                   postgres    on a real PostgreSQL: one test of each kind (`smoke`)
#                   process     servers and many processes: one test of each kind (`smoke`)
#                   property    many random examples, growth of time and memory: none
# make test-all   all tests of all tiers, with many random examples; COVERAGE=1 measures branches
# make test-rest  what `make test` leaves out
# make trials     the long trials, each at most 50 minutes
# make mutants    make small changes to the code and list those that no test notices (SEED=1)
# make lint       style, layers and types; with Node, the scripts of the pages too
# make fast       compile the engine and the reader of JSON Lines (needs a C compiler); make plain goes
#                 back to plain Python; make test-compiled: golden deals, their tests and the slow model
#                 make test ENGINE=compiled: all quick tests; test-rest, test-all and bench take ENGINE too
# make bench      measure everything beside its yardstick
# make scripts    after a change of the pages' scripts: bundle them (needs Node)
# make lock       after a change of dependencies in pyproject.toml (UPGRADE=--upgrade for newer versions)

# Tests start many processes: let each find the bytecode of the one before.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := run
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: run help test test-rest test-compiled test-all trials mutants lint lint-scripts fast plain bench screenshots openapi \
	scripts lock lock-check clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The first Python of 3.11 or later; `make PYTHON=/path/to/python` chooses another.
PYTHON ?= $(shell for each in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)

run: $(VENV)/runtime $(VENV)/project
	@if [ -e $(VENV)/fast ] && [ -n "$$(find engine schemas/wire -name '*.py' -newer $(VENV)/fast)" ]; then \
		echo "The engine has changed since make fast. It runs in plain Python until you run make fast again."; \
		$(MAKE) --no-print-directory plain; fi
	$(BIN)/spadille serve --login-link

help:
	@sed '/^$$/q;s/^# //' Makefile

PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal
SLOW := browser or postgres or process or property

# Which engine the tests and benches run: plain or compiled.
ENGINE := plain

test: lint $(if $(filter compiled,$(ENGINE)),fast,plain)
	$(PYTEST) -m "smoke or not ($(SLOW))"

test-rest: $(VENV)/dev $(VENV)/project $(if $(filter compiled,$(ENGINE)),fast,plain)
	SPADILLE_TESTS=thorough $(PYTEST) -m "not smoke and ($(SLOW))"

test-compiled: fast
	SPADILLE_TESTS=thorough $(PYTEST) tests/golden tests/unit/engine tests/unit/schemas/test_*.py tests/properties/slow
	$(BIN)/python -m tests.properties.engines --deals 100

test-all: lint $(if $(filter compiled,$(ENGINE)),fast,plain)
	SPADILLE_TESTS=thorough $(PYTEST) $(if $(COVERAGE),--cov --cov-report=term)

# Each ends after fifty minutes at the latest.
TRIAL := timeout 3000 $(BIN)/python -m

trials: $(VENV)/dev $(VENV)/project
	$(TRIAL) tests.system.hostile_logs --logs 10000 --seed 1 --seconds 2400
	$(TRIAL) tests.properties.slow --deals 1000
	$(TRIAL) tests.properties.hidden --deals 2000 --misprints 2 --records 100 --pen 2
	$(TRIAL) tests.properties.tables --evenings 2
	$(TRIAL) tests.system.secrets --rounds 30
	$(TRIAL) tests.system.clients --minutes 5
	$(TRIAL) tests.system.faults kill --rounds 3
	$(TRIAL) tests.system.cluster fail --rounds 1 --clients 4

mutants: $(VENV)/dev $(VENV)/project
	$(BIN)/python -m tests.system.mutants --seed $(or $(SEED),1)

lint: $(VENV)/dev $(VENV)/project
	$(BIN)/ruff check
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python -m docs.plain_words
	$(BIN)/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-scripts; \
		else echo "Without Node, the scripts of the pages are not checked."; fi

lint-scripts: node_modules/made
	npm run --silent check

fast: $(VENV)/fast

$(VENV)/fast: docs/compile_engine.py $(shell find engine schemas/wire -name '*.py') | $(VENV)/dev $(VENV)/project
	$(BIN)/python -m docs.compile_engine
	@touch $@

plain: | $(VENV)/project
	@if [ -e $(VENV)/fast ]; then $(BIN)/python -m docs.compile_engine --remove && rm -f $(VENV)/fast; fi

bench: $(VENV)/dev $(VENV)/project $(if $(filter compiled,$(ENGINE)),fast,plain)
	@missed=; for each in bench/[a-z]*.py; do \
		echo "== $$each"; $(BIN)/python -m "$$(echo "$${each%.py}" | tr / .)" || missed="$$missed $$each"; done; \
		if [ -n "$$missed" ]; then echo "goals missed:$$missed"; exit 1; fi

screenshots: $(VENV)/dev $(VENV)/project
	$(BIN)/python -m docs.pictures.take
	$(BIN)/python -m docs.pictures.every

openapi: $(VENV)/dev $(VENV)/project
	$(BIN)/python -m docs.openapi

scripts: $(VENV)/dev $(VENV)/project node_modules/made
	$(BIN)/python -m docs.scripts

node_modules/made: package-lock.json
	npm ci --silent
	@touch $@

# Each stamp below is a file in .venv, older than what it was made from as soon as that changes.
$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "Spadille needs Python 3.11 or later, and found none on your PATH." \
		"Install it, or say where it is: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@command -v "$(PYTHON)" >/dev/null || { echo "There is no program $(PYTHON). Say where Python 3.11" \
		"or later is: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is" \
		"$$("$(PYTHON)" --version). Spadille needs Python 3.11 or later." >&2; exit 1; }
	@mkdir -p $(VENV) && test -w $(VENV) || { echo "The folder $(CURDIR) cannot be written to." \
		"Choose another folder for Spadille, or change its permissions." >&2; exit 1; }
	@"$(PYTHON)" -m venv --clear $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) could not make a virtual" \
		"environment. On Debian and Ubuntu, install the package python3-venv and try again." >&2; exit 1; }
	@touch $@

# A lock names every package. Without --no-deps, an older pip rejects it when the registry has a
# newer version of a package that another one wants with an extra.
$(VENV)/runtime: requirements.txt $(VENV)/made
	$(PIP) --no-deps --require-hashes -r requirements.txt
	@touch $@

$(VENV)/dev: requirements-dev.txt $(VENV)/made
	$(PIP) --no-deps --require-hashes -r requirements-dev.txt
	@touch $@

# pip refuses hashes together with -e: what is locked is there already, so the project comes alone.
$(VENV)/project: pyproject.toml | $(VENV)/made
	@test -x $(BIN)/hatchling || $(MAKE) --no-print-directory $(VENV)/runtime
	$(PIP) --no-build-isolation --no-deps -e .
	@touch $@

# uv writes where each file was fetched from; which registry that was is the machine's affair.
# What is kept is a valid lock of a folder `wheelhouse`: names, versions and hashes, no host.
lock: $(VENV)/dev
	$(BIN)/uv lock --quiet --python $(BIN)/python $(UPGRADE)
	sed -E -e 's#registry = "https?://[^"]*"#registry = "wheelhouse"#' \
		-e 's#url = "https?://[^"]*/([^/"]+)"#path = "\1"#' uv.lock > uv.lock.new
	mv uv.lock.new uv.lock
	$(call export,--no-dev --group build,requirements.txt)
	$(call export,--no-dev --group build --extra postgres,requirements-postgres.txt)
	$(call export,--all-groups,requirements-dev.txt)

define export
@echo "# Exported from uv.lock by make lock; not to be edited." > $(2)
$(BIN)/uv export --quiet --frozen --no-emit-project --no-header $(1) >> $(2)
endef

lock-check: $(VENV)/dev $(VENV)/project
	$(BIN)/python -m pytest tests/system/test_house.py -k lock

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov test-results
	find engine schemas -name '*.so' -delete; rm -f spadille__mypyc.*
	find engine schemas replays service tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +
