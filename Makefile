# Everything runs in .venv, made at the first use with the pinned versions of constraints.txt.

PYTHON ?= python3
WORKERS ?= 2

# What `make demo` trains. GAME=..., DEMO_STEPS=... and so on change it.
GAME ?= dino_dice
CONFIG ?= $(GAME)
DEMO_STEPS ?= 8e6
DEMO_GAMES ?= 10000
DEMO_OUT ?= runs/demo

# First and alone, so that a build without CUDA that is already here or configured is taken.
TORCH := torch==2.13.0

BIN := .venv/bin
INSTALLED := .venv/.installed
INSTALLED_BENCH := .venv/.installed-bench
SOURCES := dino_envs training tests $(wildcard benchmarks)

.PHONY: demo test test-all lint types format bench baselines clean help

help:
	@echo "make demo      trains $(GAME) for a few minutes and scores what it learnt"
	@echo "make test      runs the tests; test-all runs the slow ones too"
	@echo "make lint      checks style; format mends it; types checks types"
	@echo "make bench     measures speed and writes benchmarks/results"
	@echo "make baselines trains and scores the published policies of $(GAME), which takes hours"
	@echo "make clean     removes .venv and what was built"

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv, once: this takes some minutes."
	$(BIN)/pip install --quiet -c constraints.txt $(TORCH)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[tune,render,dev]"
	touch $@

$(INSTALLED_BENCH): $(INSTALLED)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[bench]"
	touch $@

demo: $(INSTALLED)
	rm -rf $(DEMO_OUT)
	$(BIN)/dino-envs train $(GAME) --out $(DEMO_OUT) --set total_steps=$(DEMO_STEPS)
	@echo; echo "What it has learnt, in new games:"
	$(BIN)/dino-envs evaluate $(GAME) --agent checkpoint:$(DEMO_OUT) --games $(DEMO_GAMES)

test: $(INSTALLED)
	$(BIN)/pytest -n $(WORKERS)

test-all: $(INSTALLED)
	$(BIN)/pytest -n $(WORKERS) --slow

lint: $(INSTALLED)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

types: $(INSTALLED)
	$(BIN)/mypy

format: $(INSTALLED)
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

bench: $(INSTALLED_BENCH)
	for name in throughput compile_time sb3_learning ladder; do \
		$(BIN)/python benchmarks/$$name.py || exit 1; done
	$(BIN)/python benchmarks/pages.py

baselines: $(INSTALLED_BENCH)
	$(BIN)/python benchmarks/learning.py $(GAME) --config $(CONFIG)
	$(BIN)/python benchmarks/pretrained.py $(CONFIG)
	$(BIN)/python benchmarks/pages.py

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
