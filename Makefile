# Everything a newcomer needs: `make demo` and `make test`. Both set the project up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Most modules of what is installed are never imported: those that are get compiled then.
QUICKLY := --quiet --disable-pip-version-check --no-compile
# Where tests compare bits.
BITS := $(shell grep --recursive --files-with-matches mark.bits tests)
SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema

.PHONY: setup demo test lint types docs soak bench clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install $(QUICKLY) --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

demo: setup
	$(BIN)/cofca demo

# Types are checked beside the tests: mypy has only one process.
test: lint
	$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest -n 2 --dist loadfile && $(BIN)/pytest -n 2 --dist loadfile -m bits $(BITS) && wait $$types

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

# The site is in build/site, gallery and playground with it. Files that other programs read are valid, too.
docs: setup
	$(BIN)/python -m pip install $(QUICKLY) --constraint constraints.txt --editable '.[docs]'
	$(SCHEMA) vendor.citation-file-format CITATION.cff
	$(SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(SCHEMA) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --write-all --conf-dir docs/site --doctree-dir build/doctrees . build/site
	$(BIN)/cofca export --out build/site

soak: setup
	$(BIN)/python -m pip install $(QUICKLY) --constraint constraints.txt --editable '.[cluster,examples,fuzz]'
	$(BIN)/pytest -n 2 --dist loadfile -m soak

bench: setup
	$(BIN)/python -m pip install $(QUICKLY) --constraint constraints.txt --editable '.[peer]'
	$(BIN)/cofca bench env minecraft --envs 8192 --steps 256 --peer xland
	$(BIN)/cofca bench env starcraft --envs 8192 --steps 256
	$(BIN)/cofca bench levels minecraft
	$(BIN)/cofca bench levels starcraft

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo build
