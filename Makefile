# Each verb is a thin cover of one plain script: without make, run `python scripts/VERB.py`.
# Every script makes .venv by itself (scripts/setup.py); all that is needed is Python 3.11 or newer.

PYTHON ?= $(firstword $(foreach name,python3 python python3.14 python3.13 python3.12 python3.11,$(shell command -v $(name) 2>/dev/null)) python3)

.DEFAULT_GOAL := help
.PHONY: help demo test check format lint types contracts size docs bench protocol plugins trajectories live soak histories walls package clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1  /p' Makefile | column -t -l 3 2>/dev/null || sed -n 's/:.*## /  /p' Makefile

demo: ## index sample transcripts in a temporary home, ask, show a receipt
	@$(PYTHON) scripts/demo.py

test: ## the quick test suite
	@$(PYTHON) scripts/test.py

check: ## all that is checked without running the program: format, lint, types, contracts, size, docs
	@$(PYTHON) scripts/check.py

format: ## rewrite the code in the house format
	@$(PYTHON) scripts/format.py

lint: ## formatter and linter
	@$(PYTHON) scripts/check.py format lint

types: ## the type checker
	@$(PYTHON) scripts/check.py types

contracts: ## who may import what
	@$(PYTHON) scripts/check.py contracts libraries

size: ## the size report
	@$(PYTHON) scripts/size.py

docs: ## links, decision records
	@$(PYTHON) scripts/docs.py

bench: ## the benchmarks, on this machine
	@$(PYTHON) scripts/bench.py

protocol: ## the tool server before the inspector and the conformance suite (needs npm and the network)
	@$(PYTHON) scripts/protocol.py

live: ## real agent harnesses before a stub model: what they are given is read off the wire (needs npm and PyPI)
	@$(PYTHON) scripts/live.py

plugins: ## the plugin folders before their readers' own validators (needs npm and the network)
	@$(PYTHON) scripts/plugins.py

trajectories: ## what `export atif` writes before the validator of the format's makers (needs the network)
	@$(PYTHON) scripts/trajectories.py

soak: ## the slow tests
	@$(PYTHON) scripts/soak.py

histories: ## 10,000 random histories on both clocks against a plain model; 1,000 subjects corrected three times
	@MUNIMENT_PARTS=167 MUNIMENT_SUBJECTS=1000 $(PYTHON) scripts/test.py --timeout 0 tests/properties/test_settle_in_the_store.py tests/properties/test_corrected_three_times.py

walls: ## scoped SQL against 100,000 statements; encryption under the encrypting build (needs PyPI)
	@$(PYTHON) scripts/walls.py

package: ## build the wheel, install it in an empty environment, run the demo from there
	@$(PYTHON) scripts/package.py

clean: ## remove caches and builds (scripts/clean.py --all: the environment too)
	@$(PYTHON) scripts/clean.py
