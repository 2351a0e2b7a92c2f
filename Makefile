# Everything a newcomer needs: `make demo` and `make test`. Both set the project up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Where tests compare bits.
BITS := $(addprefix tests/,agents experiments rl runs reliability)

.PHONY: setup demo test lint types soak bench clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

demo: setup
	$(BIN)/cofca demo

test: lint types
	$(BIN)/pytest -n 2 --dist loadfile
	$(BIN)/pytest -n 2 --dist loadfile -m bits $(BITS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

soak: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[cluster,examples]'
	$(BIN)/pytest -m soak

bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[peer]'
	$(BIN)/cofca bench env minecraft --envs 8192 --steps 256 --peer xland
	$(BIN)/cofca bench env starcraft --envs 8192 --steps 256
	$(BIN)/cofca bench levels minecraft
	$(BIN)/cofca bench levels starcraft

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo
