# Every step of the project, the same here and in continuous integration. `make help` lists them.
#
# Nothing has to be installed by hand: the targets make .venv on first use and keep stamp files in it, so a
# second run starts at once. Python sources are used in place (editable install); the native core is compiled
# again when a file below core/ changes, the page when one below web/ does.

.DEFAULT_GOAL := help
# Targets of one call run in the order written (the tests last), builds inside them use all cores.
.NOTPARALLEL:
.PHONY: help demo setup dev page check check-web format test test-native test-web test-python test-e2e fuzz bench wheel clean

PYTHON ?= python3
CLANGXX ?= clang++
FUZZ_SECONDS ?= 20
PYTEST_ARGS ?=
BENCH_ARGS ?=
E2E_ARGS ?=
DEV_PORT ?= 6006
CHROMIUM ?= /usr/bin/chromium

VENV := .venv
PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install -q --disable-pip-version-check --no-build-isolation
# Its own line: a plain `torch` among the extras would take the newest build, with gigabytes for GPUs.
TORCH := torch==2.13.0
NPM_RUN := npm --prefix web run --silent
PAGE := src/sightline/_static/index.html
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PYTHON CLANGXX VENV CHROMIUM

# Directories count too: their time changes when a file is added or removed.
CORE_INPUTS := CMakeLists.txt pyproject.toml src/sightline/__init__.py \
	$(shell find core/include core/src core/bindings 2>/dev/null)
PAGE_INPUTS := web/index.html web/package.json web/tsconfig.json web/svelte.config.js web/vite.config.ts \
	$(shell find web/public web/src -not -name '*.test.ts' 2>/dev/null)
CXX_FILES = $(shell find core -name '*.hpp' -o -name '*.h' -o -name '*.cpp')
FUZZ_TARGETS = $(basename $(notdir $(wildcard core/fuzz/*.cpp)))

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.built  ## build everything, then write demo logs and show them: sightline demo
	$(VENV)/bin/sightline demo

setup: $(VENV)/.dev $(VENV)/.built  ## everything a developer needs, in .venv and web/node_modules

# The address to open is Vite's; it hands what it does not know itself to the server.
dev: setup  ## the demo with live reload of the page's sources
	@$(VENV)/bin/sightline demo --port $(DEV_PORT) & server=$$!; trap 'kill $$server 2>/dev/null' EXIT INT TERM; \
		SIGHTLINE_SERVER=http://127.0.0.1:$(DEV_PORT) $(NPM_RUN) dev

page: $(PAGE)  ## build the page into src/sightline/_static

check: setup check-web  ## linters, formatters, types, import direction, size of the page
	ruff check .
	ruff format --check .
	mypy
	@clang-format --dry-run --Werror $(CXX_FILES)
	$(PY) scripts/check_imports.py

# The linter takes most of the time, on one processor: the others run beside it.
check-web: setup  ## the page's part of check
	$(NPM_RUN) lint & lint=$$!; $(NPM_RUN) format:check && $(NPM_RUN) check; status=$$?; wait $$lint && exit $$status
	$(PY) scripts/gen_types.py --check
	$(PY) scripts/check_web_imports.py
	$(PY) scripts/check_bundle.py

format: setup  ## let the formatters rewrite the sources
	ruff check --fix .
	ruff format .
	@clang-format -i $(CXX_FILES)
	$(NPM_RUN) format

test: check test-native fuzz test-web test-python test-e2e  ## all of it: what continuous integration runs

# $(1): build directory, $(2): sanitizers
define native_tests
	@echo "native tests under the sanitizers $(2)"
	@cmake -S . -B $(1) -G Ninja -DSIGHTLINE_BUILD_PYTHON=OFF -DSIGHTLINE_BUILD_TESTS=ON \
		-DSIGHTLINE_WERROR=ON -DSIGHTLINE_SANITIZE=$(2) >/dev/null
	@cmake --build $(1)
	$(1)/core_tests
endef

test-native: $(VENV)/.base  ## C++ tests under address, undefined-behaviour and thread sanitizers
	$(call native_tests,build/native-address,address$(comma)undefined)
	$(call native_tests,build/native-thread,thread)

comma := ,

fuzz: $(VENV)/.base  ## each fuzz target of core/fuzz for FUZZ_SECONDS, from its regression corpus
	@test -n "$(FUZZ_TARGETS)" || { echo "fuzz: no target under core/fuzz" >&2; exit 1; }
	@scripts/setup.sh clang
	@cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=$(CLANGXX) -DSIGHTLINE_BUILD_PYTHON=OFF \
		-DSIGHTLINE_BUILD_FUZZ=ON >/dev/null
	@cmake --build build/fuzz
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P "$$(nproc)" -I '{}' scripts/fuzz.sh '{}' $(FUZZ_SECONDS)

test-python: setup  ## pytest only; PYTEST_ARGS="-k name" narrows it
	$(PY) -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

test-web: setup  ## the page's unit and component tests
	$(NPM_RUN) test

test-e2e: setup  ## the page in Chromium against a real server; screenshots in build/e2e; E2E_ARGS="-g zoom" narrows it
	@scripts/setup.sh browser
	$(NPM_RUN) test:e2e -- $(E2E_ARGS)

bench: $(VENV)/.bench $(VENV)/.built  ## tables of ratios against TensorBoard and tbparse; BENCH_ARGS is passed on
	$(PY) -m benchmarks.reading $(BENCH_ARGS)
	$(PY) -m benchmarks.live
	$(PY) -m benchmarks.groups
	$(PY) -m benchmarks.images
	$(PY) -m benchmarks.writing
	@scripts/setup.sh browser
	$(PY) -m benchmarks.page

wheel: $(VENV)/.base $(PAGE)  ## build dist/sightline-*.whl
	$(PY) -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w dist .
	@ls -l dist/*.whl

clean:  ## remove .venv, build, dist, the built page and its packages
	rm -rf $(VENV) build dist src/sightline/_static web/node_modules

# Stamps. .base: compiler and build tools; .node: Node.js; .built: package and run-time dependencies; .dev and .bench:
# extras. npm keeps a stamp of its own, and the page is one.

$(VENV)/.base: scripts/setup.sh
	@scripts/setup.sh python
	@touch $@

$(VENV)/.node: scripts/setup.sh | $(VENV)/.base
	@scripts/setup.sh node
	@touch $@

NODE_MODULES := web/node_modules/.package-lock.json

$(NODE_MODULES): web/package-lock.json web/package.json | $(VENV)/.node
	npm --prefix web ci --loglevel=error
	@touch $@

$(PAGE): $(PAGE_INPUTS) $(NODE_MODULES)
	$(NPM_RUN) build

# The page first: where it is missing, building the package would build it again.
$(VENV)/.built: $(CORE_INPUTS) | $(VENV)/.base $(PAGE)
	$(PIP_INSTALL) -e .
	@touch $@

# Installing extras builds the package on the way.
$(VENV)/.dev: pyproject.toml | $(VENV)/.base $(PAGE)
	$(PIP_INSTALL) -e '.[dev,test]'
	$(PIP_INSTALL) $(TORCH)
	@touch $(VENV)/.built $@

$(VENV)/.bench: pyproject.toml | $(VENV)/.base $(PAGE)
	$(PIP_INSTALL) -e '.[bench]'
	$(PIP_INSTALL) $(TORCH)
	@touch $(VENV)/.built $@
