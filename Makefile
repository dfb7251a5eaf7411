# Every target does its own set-up, once: environments, dependencies and caches live inside the checkout.
.DEFAULT_GOAL := help
.PHONY: help demo test test-slow extension bench gui-test examples docs lint format clean setup

SYSTEM_PYTHON ?= python3
PYTHON := .venv/bin/python

# What programs would otherwise keep in the home folder: compiled code, fonts, settings, thumbnails.
export MANNEQUIN_CACHE_DIR ?= $(CURDIR)/.cache/engine
export MPLCONFIGDIR ?= $(CURDIR)/.cache/matplotlib
export BLENDER_USER_RESOURCES ?= $(CURDIR)/.cache/blender
export XDG_CACHE_HOME ?= $(CURDIR)/.cache/xdg
# Thousands of processes import the same modules: Python is to keep its bytecode, which set-up does not make.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	@echo "Mannequin. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1   \2/p' $(MAKEFILE_LIST)

setup: ## make .venv ready (every other target does this by itself)
	@$(SYSTEM_PYTHON) tools/setup_env.py

demo: setup ## the main job, from nothing to results in out/
	@$(PYTHON) tools/demo.py

test: setup ## the whole fast test suite
	@$(PYTHON) -m pytest -q -n auto -m "not slow and not long"

test-slow: setup ## the tests that take more than about two seconds each: documentation, fits, zips, films
	@$(PYTHON) -m pytest -q -n auto -m "slow or long"

extension: setup ## build and validate the extension zips in dist/
	@$(PYTHON) tools/build_extension.py

bench: setup ## the benchmarks
	@$(PYTHON) benchmarks

gui-test: setup ## tests in a real Blender window (error 77: not on this machine)
	@$(PYTHON) tests/gui

examples: setup ## build example .blend files in out/examples
	@$(PYTHON) tools/build_examples.py

docs: setup ## write the generated pages of docs/ anew
	@$(PYTHON) docs/formats/generate.py
	@$(PYTHON) tools/build_reference.py
	@$(PYTHON) tools/import_graph.py

lint: setup ## check style and formatting, change nothing
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .
	@$(PYTHON) tools/build_viewer.py --check

format: setup ## put style and formatting right
	@$(PYTHON) -m ruff check --fix .
	@$(PYTHON) -m ruff format .

clean: ## remove everything that the other targets made
	rm -rf .venv .venv-5.2 .cache out build dist *.egg-info .pytest_cache .ruff_cache .hypothesis models/people/data
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
