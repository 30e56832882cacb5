# mbwidgets: every command sets up what it needs, in .venv, and is quick the second time.
#   make lab     JupyterLab on the quick start          make lint    style, layers, types
#   make test    everything that must hold              make bench   figures beside other engines
#   make thorough  the same with every browser test
# PYTHON=... chooses the interpreter; CI=true makes a missing browser or a missing node a failure.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# JupyterLab alone is enough for `make lab`; where the test tools are, it is there too.
LAB := $(or $(wildcard $(READY)),$(VENV)/.lab)
WORKERS ?= 2

# Many processes read the same modules: their bytecode is kept, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE
# tests/quick spares each of them two seconds.
unit python notebooks browser: export PYTHONPATH := $(CURDIR)/tests/quick$(if $(PYTHONPATH),:$(PYTHONPATH))
PYTEST := $(BIN)/pytest -q -n $(WORKERS)
# `make unit` tells which lines no test runs; that takes twice as long, so `make test` does not ask.
COVER ?= --cov --cov-report=term:skip-covered
test thorough: COVER :=

# $(call stage,name,command): one line with its seconds; the first failure ends the run.
stage = @start=$$SECONDS; printf '==> %s\n' "$(1)"; \
	if $(2); then printf '    %s: %d s\n' "$(1)" $$((SECONDS - start)); \
	else printf '    %s: FAILED after %d s\n' "$(1)" $$((SECONDS - start)) >&2; exit 1; fi

.PHONY: help
help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: lab
lab: $(LAB) ## open JupyterLab on the quick start
	@$(BIN)/python -m mbwidgets lab

.PHONY: test
test: setup lint javascript unit python notebooks-and-wheel browser ## everything that must hold: lint, tests, notebooks, browser, wheel
	@echo "All stages passed."

.PHONY: thorough
thorough: export MBWIDGETS_THOROUGH = 1
thorough: test ## the same with every browser test; about half an hour

.PHONY: lint
lint: $(READY) ## ruff, the layers of the imports, mypy
	$(call stage,ruff check,$(BIN)/ruff check --quiet .)
	$(call stage,ruff format,$(BIN)/ruff format --check --quiet .)
	$(call stage,layers,$(BIN)/lint-imports --no-logo)
	$(call stage,types,$(BIN)/mypy)

# What is sent to PyPI has the JavaScript without its tools.
.PHONY: javascript
javascript: ## lint and unit tests of the JavaScript, by node
	@if ! [ -f package.json ]; then echo "==> javascript: skipped, its tools are in a clone"; \
	elif command -v node >/dev/null && command -v npm >/dev/null; then $(MAKE) javascript-lint javascript-tests; \
	elif [ "$${CI:-}" = true ]; then echo "==> javascript: FAILED, there is no node" >&2; exit 1; \
	else echo "==> javascript: skipped, there is no node"; fi

.PHONY: javascript-lint
javascript-lint: node_modules/.ready
	$(call stage,javascript lint,node_modules/.bin/biome ci --error-on-warnings --colors=off .)

.PHONY: javascript-tests
javascript-tests:
	$(call stage,javascript tests,{ told=$$(node --test tests/javascript/*.test.mjs 2>&1) || { printf '%s\n' "$$told"; false; }; })

.PHONY: bench
bench: $(READY) ## our figures beside Pinocchio and MuJoCo, in one run
	$(BIN)/python -m benchmarks

.PHONY: setup
setup: ## .venv with the package, JupyterLab and the test tools
	$(call stage,set-up,$(MAKE) --silent $(READY))

.PHONY: kernels
kernels: $(READY) ## translate the kernels to WebAssembly and JavaScript, after an edit
	$(BIN)/python tools/translate.py

.PHONY: unit
unit: $(READY) ## unit tests and oracles
	$(call stage,unit tests and oracles,$(PYTEST) -p no:nbval --dist worksteal --ignore=tests/browser $(COVER))

# The rooms below the motions: these are right where the kernels are, and take half a minute without translation.
.PHONY: python
python: export MBWIDGETS_ENGINE = python
python: $(READY) ## kernels, packing and states once more, on the kernels as they stand
	$(call stage,the engine python,$(PYTEST) -p no:nbval $(addprefix tests/numeric/,base kernels packing states))

.PHONY: notebooks
# One after the other: two kernels that start at once may choose the same port, and one of them dies.
notebooks: $(READY) ## run every notebook and compare with what it shows
	$(call stage,notebooks,$(BIN)/pytest -q --nbval --nbval-current-env --nbval-cell-timeout 300 \
		--nbval-kernel-startup-timeout 600 --nbval-sanitize-with tests/nbval.cfg notebooks)

# Each uses one core; what the wheel says comes when the notebooks are done.
.PHONY: notebooks-and-wheel
notebooks-and-wheel: $(READY)
	@told=$$(mktemp); $(MAKE) wheel >$$told 2>&1 & beside=$$!; \
	failed=0; $(MAKE) notebooks || failed=1; wait $$beside || failed=1; \
	cat $$told; rm $$told; exit $$failed

.PHONY: browser
browser: $(READY) chromium ## the notebooks in JupyterLab, in Chromium
	$(call stage,browser,timeout 1800 $(PYTEST) -p no:nbval tests/browser)

.PHONY: growth
growth: $(READY) chromium ## 1,000 slider changes and 100 runs of a cell in the page: nothing may grow
	$(call stage,growth,MBWIDGETS_THOROUGH=1 MBWIDGETS_CHANGES=1000 timeout 1800 $(BIN)/pytest -q -s -m browser tests/browser/test_explorer_growth.py tests/browser/test_page_growth.py)

.PHONY: wheel
wheel: $(READY) ## build, install into an empty environment, simulate
	$(call stage,wheel,$(BIN)/python tests/packaging/check_wheel.py)

.PHONY: sheet
sheet: $(READY) ## draw stills of all mechanisms on contact sheets, into artefacts/sheets
	@$(BIN)/python tools/contact_sheet.py

.PHONY: gallery
gallery: $(READY) ## screenshots of the real widgets, for the README
	$(BIN)/python tools/gallery.py

.PHONY: vendor
vendor: $(READY) ## fetch the JavaScript of exported pages from npm, at pinned versions
	$(BIN)/python tools/vendor.py

.PHONY: clean
clean: ## remove all that these commands made
	rm -rf $(VENV) node_modules .coverage artefacts build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.lab: extras := lab
$(READY): extras := lab,test
$(VENV)/.lab $(READY): pyproject.toml
	@python=; for candidate in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
		if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
		then python=$$candidate; break; fi; done; \
	if [ -z "$$python" ]; then \
		echo "mbwidgets needs Python 3.11 or later; found none. Install one, or say: make PYTHON=/path/to/python3" >&2; \
		exit 1; fi; \
	$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo "    making $(VENV) with $$("$$python" --version); the first time takes a few minutes"; \
		"$$python" -m venv $(VENV); }
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '.[$(extras)]'
	@touch $@

node_modules/.ready: package.json package-lock.json
	@npm ci --loglevel=error --no-fund --no-audit >/dev/null
	@touch $@

# Not a failure here: the browser tests skip, or with CI=true fail, and say why.
.PHONY: chromium
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "==> installing Chromium"; export DEBIAN_FRONTEND=noninteractive; \
			{ apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } >/dev/null || true; \
		fi; }
