# Every step of the project, the same here and in continuous integration. `make help` lists them.
#
# Nothing has to be installed by hand: the targets make .venv on first use and keep stamp files in it, so a
# second run starts at once. Python sources are used in place (editable install); the native core is compiled
# again when a file below core/ changes.

.DEFAULT_GOAL := help
# Targets of one call run in the order written (the tests last), builds inside them use all cores.
.NOTPARALLEL:
.PHONY: help demo setup dev check format test test-native test-python fuzz bench wheel clean

PYTHON ?= python3
CLANGXX ?= clang++
FUZZ_SECONDS ?= 20
PYTEST_ARGS ?=
BENCH_ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install -q --disable-pip-version-check --no-build-isolation
# Its own line: a plain `torch` among the extras would take the newest build, with gigabytes for GPUs.
TORCH := torch==2.13.0
DEMO_LOGS := build/demo-logs
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PYTHON CLANGXX VENV

# Directories count too: their time changes when a file is added or removed.
CORE_INPUTS := CMakeLists.txt pyproject.toml src/sightline/__init__.py \
	$(shell find core/include core/src core/bindings 2>/dev/null)
CXX_FILES = $(shell find core -name '*.hpp' -o -name '*.h' -o -name '*.cpp')
FUZZ_TARGETS = $(basename $(notdir $(wildcard core/fuzz/*.cpp)))

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.built  ## build everything, write a demo log directory, show some of it
	$(PY) examples/make_demo.py $(DEMO_LOGS)
	@echo; echo "One of the eight runs in full: every kind of data"
	$(VENV)/bin/sightline inspect $(DEMO_LOGS) --run cnn/seed0
	@echo; echo "The two runs in trouble: one was restarted, one has a damaged record"
	$(VENV)/bin/sightline inspect $(DEMO_LOGS) --run 'restarted|damaged' --tag 'train/|samples'
	@echo; echo "Everything:  $(VENV)/bin/sightline inspect $(DEMO_LOGS)"

setup: $(VENV)/.dev $(VENV)/.built  ## everything a developer needs, in .venv

dev: setup  ## show the demo logs live: inspect --watch (there is no server yet)
	$(PY) examples/make_demo.py $(DEMO_LOGS)
	$(VENV)/bin/sightline inspect --watch $(DEMO_LOGS)

check: setup  ## linters, formatters, types, import direction
	ruff check .
	ruff format --check .
	mypy
	@clang-format --dry-run --Werror $(CXX_FILES)
	$(PY) scripts/check_imports.py

format: setup  ## let the formatters rewrite the sources
	ruff check --fix .
	ruff format .
	@clang-format -i $(CXX_FILES)

test: check test-native fuzz test-python  ## all of it: check, native tests, fuzzing, pytest

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
	@set -e; for target in $(FUZZ_TARGETS); do \
		found=build/fuzz/corpus/$$target; log=build/fuzz/$$target.log; \
		mkdir -p $$found build/fuzz/findings; \
		build/fuzz/targets/$$target -max_total_time=$(FUZZ_SECONDS) -timeout=25 \
			-artifact_prefix=build/fuzz/findings/$$target- $$found core/fuzz/corpus/$$target >$$log 2>&1 || { \
			tail -n 80 $$log >&2; \
			echo "fuzz: $$target failed; add its input from build/fuzz/findings to core/fuzz/corpus/$$target" >&2; \
			exit 1; }; \
		echo "fuzz: $$target: $$(tail -n 1 $$log)"; \
	done

test-python: setup  ## pytest only; PYTEST_ARGS="-k name" narrows it
	$(PY) -m pytest $(PYTEST_ARGS)

bench: $(VENV)/.bench $(VENV)/.built  ## tables of ratios against TensorBoard and tbparse; BENCH_ARGS is passed on
	$(PY) -m benchmarks.reading $(BENCH_ARGS)
	$(PY) -m benchmarks.live
	$(PY) -m benchmarks.writing

wheel: $(VENV)/.base  ## build dist/sightline-*.whl
	$(PY) -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w dist .
	@ls -l dist/*.whl

clean:  ## remove .venv, build and dist
	rm -rf $(VENV) build dist

# Stamps. .base: compiler and build tools; .built: package and run-time dependencies; .dev and .bench: extras.

$(VENV)/.base: scripts/setup.sh
	@scripts/setup.sh python
	@touch $@

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
