# Every step of the project, the same here and in continuous integration. `make help` lists them.
#
# Nothing has to be installed by hand: the targets make .venv on first use and keep stamp files in it, so a
# second run starts at once. Python sources are used in place (editable install); the native core is compiled
# again when a file below core/ changes, the page when one below web/ does.

.DEFAULT_GOAL := help
# Targets of one call run in the order written (the tests last), builds inside them use all cores.
.NOTPARALLEL:
.PHONY: help demo setup setup-tools setup-python setup-page setup-system dev page check lint-web check-web check-python format \
	test test-fast test-native test-native-address test-native-thread test-web test-python test-e2e fuzz fuzz-corpus bench wheel clean

PYTHON ?= python3
CLANGXX ?= clang++
FUZZ_SECONDS ?= 60
PYTEST_ARGS ?=
BENCH_ARGS ?=
E2E_ARGS ?=
DEV_PORT ?= 6006
CHROMIUM ?= /usr/bin/chromium

VENV := .venv
PY := $(VENV)/bin/python
# The page has a rule of its own. Packages are compiled when they are imported: most of their modules never are.
PIP_INSTALL := $(PY) -m pip install -q --disable-pip-version-check --no-build-isolation --no-compile \
	-C cmake.define.SIGHTLINE_BUILD_PAGE=OFF
# Its own line: a plain `torch` among the extras would take the newest build, with gigabytes for GPUs.
TORCH := torch==2.13.0
NPM_RUN := npm --prefix web run --silent
NODE_MODULES := web/node_modules/.package-lock.json
PAGE := src/sightline/_static/index.html
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PYTHON CLANGXX VENV CHROMIUM

# Directories count too: their time changes when a file is added or removed.
CORE_INPUTS := CMakeLists.txt pyproject.toml src/sightline/__init__.py \
	$(shell find core/include core/src core/bindings 2>/dev/null)
PAGE_INPUTS := web/index.html web/package.json web/tsconfig.json web/svelte.config.js web/vite.config.ts \
	$(shell find web/public web/src -not -name '*.test.ts' 2>/dev/null)
CXX_FILES = $(shell find core -name '*.hpp' -o -name '*.h' -o -name '*.cpp')
FUZZ_TARGETS = $(or $(basename $(notdir $(wildcard core/fuzz/*.cpp))),$(error fuzz: no target under core/fuzz))

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.built $(PAGE)  ## build everything, then write demo logs and show them: sightline demo
	$(VENV)/bin/sightline demo

setup: setup-python setup-page  ## everything a developer needs, in .venv and web/node_modules

setup-tools: $(VENV)/.base $(VENV)/.node  ## a C++ compiler, .venv and Node.js

setup-python: $(VENV)/.dev $(VENV)/.built  ## the package and what its tests need, in .venv

setup-page: $(PAGE)  ## web/node_modules, and the page built with them

setup-system:  ## clang and Chromium, from Debian where they are missing
	@scripts/setup.sh clang
	@scripts/setup.sh browser

# The address to open is Vite's; it hands what it does not know itself to the server.
dev: setup  ## the demo with live reload of the page's sources
	@$(VENV)/bin/sightline demo --port $(DEV_PORT) & server=$$!; trap 'kill $$server 2>/dev/null' EXIT INT TERM; \
		SIGHTLINE_SERVER=http://127.0.0.1:$(DEV_PORT) $(NPM_RUN) dev

page: $(PAGE)  ## build the page into src/sightline/_static

check: check-python lint-web check-web  ## linters, formatters, types, import direction, sizes

check-python: setup-python  ## the part of check that looks at Python and C++
	ruff check .
	ruff format --check .
	mypy
	@clang-format --dry-run --Werror $(CXX_FILES)
	$(PY) -m scripts.check_imports
	$(PY) -m scripts.check_kinds
	$(PY) -m scripts.check_sizes

lint-web: $(NODE_MODULES)  ## the page's linter, which takes most of the time
	$(NPM_RUN) lint

check-web: setup  ## the page's formatter, types, import direction, words of links and size
	$(NPM_RUN) format:check
	$(NPM_RUN) check
	$(PY) scripts/gen_types.py --check
	$(PY) -m scripts.check_web_imports
	$(PY) scripts/check_web_words.py
	$(PY) scripts/check_bundle.py

format: setup  ## let the formatters rewrite the sources
	ruff check --fix .
	ruff format .
	@clang-format -i $(CXX_FILES)
	$(NPM_RUN) format

test:  ## all of it, with a table of times and of what failed at the end: what continuous integration runs
	@$(PYTHON) -m scripts.run_tests

# What runs between two edits: no browser, no sanitizers, no slow file (tests/slow_files.py), no test that needs a document.
test-fast:  ## under 90 seconds: linters and types of Python, native tests, quick tests of Python and page
	@$(PYTHON) -m scripts.run_tests fast

.PHONY: fast-native fast-python fast-web
# -O1: with -O3, g++ 12 warns of the standard library's own strings, and takes longer.
fast-native: $(VENV)/.base
	@cmake -S . -B build/native-plain -G Ninja -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DSIGHTLINE_BUILD_PYTHON=OFF \
		-DSIGHTLINE_BUILD_TESTS=ON -DSIGHTLINE_WERROR=ON >/dev/null
	@cmake --build build/native-plain
	build/native-plain/core_tests

fast-python: setup-python
	$(PY) -m pytest -q -n auto --dist worksteal -m 'not slow' --junitxml=build/test-results/python.xml

fast-web: $(NODE_MODULES)
	$(NPM_RUN) test -- $$(cd web && grep -rL '@vitest-environment' src --include='*.test.ts')

test-native: test-native-address test-native-thread  ## C++ tests under address, undefined-behaviour and thread sanitizers

# One build for the native tests and the fuzz targets. clang's, since g++ takes twice as long for these sanitizers.
.PHONY: build/native-address
build/native-address: $(VENV)/.base
	@scripts/setup.sh clang
	@cmake -S . -B build/native-address -G Ninja -DCMAKE_CXX_COMPILER=$(CLANGXX) -DSIGHTLINE_BUILD_PYTHON=OFF \
		-DSIGHTLINE_BUILD_TESTS=ON -DSIGHTLINE_BUILD_FUZZ=ON -DSIGHTLINE_WERROR=ON >/dev/null
	@cmake --build build/native-address

test-native-address: build/native-address  ## under address and undefined-behaviour sanitizers
	build/native-address/core_tests

test-native-thread: $(VENV)/.base  ## under the thread sanitizer
	@cmake -S . -B build/native-thread -G Ninja -DSIGHTLINE_BUILD_PYTHON=OFF -DSIGHTLINE_BUILD_TESTS=ON \
		-DSIGHTLINE_WERROR=ON -DSIGHTLINE_SANITIZE=thread >/dev/null
	@cmake --build build/native-thread
	build/native-thread/core_tests

fuzz-corpus: build/native-address  ## each fuzz target on its corpus, and on the same few changes of it every time
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P "$$(nproc)" -I '{}' scripts/fuzz.sh '{}'

fuzz: build/native-address  ## each fuzz target on new inputs for FUZZ_SECONDS, from its corpus
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P "$$(nproc)" -I '{}' scripts/fuzz.sh '{}' $(FUZZ_SECONDS)

test-python: setup  ## pytest only; PYTEST_ARGS="-k name" narrows it
	$(PY) -m pytest -n auto --dist worksteal --junitxml=build/test-results/python.xml $(PYTEST_ARGS)

test-web: $(NODE_MODULES)  ## the page's unit and component tests
	$(NPM_RUN) test

test-e2e: setup  ## the page in Chromium against a real server; E2E_ARGS="-g zoom" narrows it
	@scripts/setup.sh browser
	$(NPM_RUN) test:e2e -- $(E2E_ARGS)

bench: $(VENV)/.bench $(VENV)/.built $(PAGE)  ## tables of ratios against TensorBoard and tbparse; BENCH_ARGS is passed on
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

$(NODE_MODULES): web/package-lock.json web/package.json | $(VENV)/.node
	npm --prefix web ci --loglevel=error
	@touch $@

$(PAGE): $(PAGE_INPUTS) $(NODE_MODULES)
	$(NPM_RUN) build

$(VENV)/.built: $(CORE_INPUTS) | $(VENV)/.base
	$(PIP_INSTALL) -e .
	@touch $@

# Installing extras builds the package on the way.
$(VENV)/.dev: pyproject.toml | $(VENV)/.base
	$(PIP_INSTALL) -e '.[dev,test]'
	$(PIP_INSTALL) $(TORCH)
	@touch $(VENV)/.built $@

$(VENV)/.bench: pyproject.toml | $(VENV)/.base
	$(PIP_INSTALL) -e '.[bench]'
	$(PIP_INSTALL) $(TORCH)
	@touch $(VENV)/.built $@
